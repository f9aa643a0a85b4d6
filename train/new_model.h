#pragma once

#include <functional>
#include <string>

#include "model/model_files.h"
#include "train/recipe.h"

namespace memmatch::train {

// The model that a run starts from: that of recipe.model.start as it is where it has memory layers;
// otherwise with new ones, whose vocabulary is counted over the training claims and their evidence.
ModelData new_model(const Recipe& recipe, const std::function<void(const std::string&, bool)>& say);

}  // namespace memmatch::train
