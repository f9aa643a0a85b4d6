#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "train/recipe.h"
#include "train/run_state.h"
#include "train/step.h"

// What a stage's recipe means at a given moment of the run.

namespace memmatch::train {

// Learning rates of a step.
struct Rates {
  double memory = 0;
  double encoder = 0;
  double head = 0;
};

struct Plan {
  std::string kind;  // of the epoch: warmup, memory, encoder or joint
  Trained trained;   // what it changes
  std::int64_t claims_per_epoch = 0;
  std::int64_t steps_per_epoch = 0;
  std::int64_t stage_steps = 0;    // of the whole stage, unless it stops early
  std::int64_t encoder_steps = 0;  // of these, those that change the encoder
  double memory_rate = 1;          // factors of the learning rates
  double encoder_rate = 1;

  Rates rates(const Recipe& recipe, const RunState& state) const;
};

// `pass` is how many claims a pass over the training set has.
Plan plan_of(const StageRecipe& stage, std::int64_t pass, const RunState& state);

std::array<std::optional<double>, 3> means(const std::array<double, 3>& sums,
                                           const std::array<std::int64_t, 3>& counts);

// For people: how far an epoch is, and how it ended.
std::string progress_line(const Plan& plan, const StageRecipe& stage, const RunState& state);
std::string epoch_line(const Plan& plan, const StageRecipe& stage, const RunState& state,
                       const nlohmann::ordered_json& dev, bool best);

}  // namespace memmatch::train
