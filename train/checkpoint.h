#pragma once

#include <filesystem>
#include <vector>

#include "model/model_files.h"
#include "train/optimizers.h"
#include "train/pairs.h"
#include "train/run_state.h"

// A run's folder:
//   config.toml      the resolved recipe
//   metrics.jsonl    what was measured (docs/file_formats.md)
//   checkpoint/      where the run is; replaced as a whole, so that there is always a good one
//   best/            the model of the best epoch so far, ready to be used
//   latest/          the model of the last epoch

namespace memmatch::train {

struct Checkpoint {
  ModelData model;
  RunState state;
  std::vector<Beam> beams;  // of the epoch's claims, in their order
};

// `tensors` are all that training has beside the model: the head and the optimisers' state.
void save_checkpoint(const std::filesystem::path& run, const ModelData& model,
                     const RunState& state, const std::vector<Beam>& beams,
                     const NamedState& tensors);

// To be called by the process that writes the run only: it also finishes what a killed one left.
bool has_checkpoint(const std::filesystem::path& run);

// Throws Error naming the file that is missing or damaged.
Checkpoint load_checkpoint(const std::filesystem::path& run);

// Puts the tensors that save_checkpoint got back into those of the same names. Throws
// Error(corrupt) where one is missing or of another size.
void restore_tensors(const std::filesystem::path& run, const NamedState& tensors);

}  // namespace memmatch::train
