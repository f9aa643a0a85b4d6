#pragma once

#include <memory>
#include <vector>

#include "padded_bert.h"
#include "train/optimizers.h"
#include "train/step.h"

namespace memmatch::bench {

// A training step as research code does it, for comparison: at each level the queries are repeated
// for every pair, stacked on the supports, padded to the level's length and run forward together;
// autograd goes back through everything, also where only the memory layers are to change.
class PaddedTraining {
 public:
  explicit PaddedTraining(const ModelWeights& weights);

  // Gives the loss; the gradients are kept for update(). The levels go back one after the other,
  // which gives the same sum as all together and needs less memory.
  double compute(const train::StepBatch& batch, double dropout);

  void update(const train::Trained& trained, double memory_rate, double encoder_rate);

  // Of all parameters, by name, since the last update.
  std::vector<train::NamedParameter> gradients() const;

 private:
  train::Twin twin_;
  PaddedBert bert_;
  std::unique_ptr<train::Optimizer> memory_;
  std::unique_ptr<train::Optimizer> encoder_;
};

}  // namespace memmatch::bench
