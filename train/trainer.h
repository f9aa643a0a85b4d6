#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "train/recipe.h"

namespace memmatch::train {

struct TrainOptions {
  std::filesystem::path run;  // the run's folder
  bool resume = false;        // go on from the folder's checkpoint
  int threads = 0;            // 0: as many as there are processors
  std::string device = "cpu";
  double checkpoint_minutes = 10;
  // For tests: write a checkpoint after every so many steps; 0: by time alone.
  std::int64_t checkpoint_steps = 0;
  // Looked at after every step: when it becomes true, training writes a checkpoint and returns.
  const std::atomic<bool>* stop = nullptr;
  // Hears what there is to say to people, a line at a time. `passing` lines may overwrite each
  // other.
  std::function<void(const std::string& line, bool passing)> say;
};

struct TrainOutcome {
  bool finished = false;  // false: stopped, to be resumed
  double best_accuracy = -1;
  std::int64_t steps = 0;
};

// Trains a model as the recipe says. Throws Error: conflict where the folder has a run already and
// options.resume is false; not_found where there is none to go on with; invalid_argument where
// training diverges or the recipe does not fit the run; and those of reading and writing. Whatever
// it throws, the last checkpoint is intact.
TrainOutcome train(const Recipe& recipe, const TrainOptions& options);

}  // namespace memmatch::train
