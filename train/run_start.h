#pragma once

#include "train/checkpoint.h"
#include "train/recipe.h"
#include "train/trainer.h"

namespace memmatch::train {

// What a run starts from: its last checkpoint where it is to be resumed, or a new model, for which
// the run's folder is made. Throws Error where there is a run already, or none to resume.
Checkpoint start_of_run(const Recipe& recipe, const TrainOptions& options);

}  // namespace memmatch::train
