#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "data/claims.h"
#include "train/recipe.h"

namespace memmatch::train {

// The dev claims that checkpoints are chosen by: all, or so many drawn with the recipe's seed, in
// the file's order.
std::vector<data::Claim> read_dev_claims(const Recipe& recipe);

struct DevFigures {
  double accuracy = 0;
  nlohmann::json json;  // the object "dev" of metrics.jsonl
};

// Verifies them with a saved model as a user would: the whole search at the stage's k1 and z.
DevFigures evaluate_on_dev(const std::vector<data::Claim>& claims, const Recipe& recipe,
                           const std::filesystem::path& model, const StageRecipe& stage,
                           int threads);

}  // namespace memmatch::train
