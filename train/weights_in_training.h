#pragma once

#include <memory>
#include <vector>

#include "train/optimizers.h"
#include "train/plan.h"
#include "train/step.h"
#include "train/twin.h"

namespace memmatch::train {

// The weights with all that changes them: twin, head and an optimiser for each group of
// parameters.
class WeightsInTraining {
 public:
  WeightsInTraining(const ModelWeights& weights, torch::Device device);

  ModelWeights get() const { return twin_->weights(); }

  // New optimisers must be made after it.
  void set(const ModelWeights& weights);

  // Fresh optimisers, as a stage begins with.
  void make_optimizers(const Recipe& recipe, const StageRecipe& stage);

  // What the next steps are to change; all else is frozen.
  void set_trained(const Trained& trained);

  StepResult compute(const StepBatch& batch, const StepOptions& options);

  // One update with the gradients that compute() gave.
  void update(std::vector<torch::Tensor>& gradients, const Rates& rates, double memory_clip_norm);

  // Of the batch's head examples, the part that the head gets right.
  double head_accuracy(const StepBatch& batch, int workers);

  // Of the weights as they are, without dropout; no number where an update has spoilt them.
  double loss(const StepBatch& batch, int workers);

  // Head and optimisers, to be saved and restored.
  NamedState training_state() const;

 private:
  struct Group {
    std::unique_ptr<Optimizer> optimizer;
    bool active = false;
  };

  std::vector<torch::Tensor> active_parameters() const;

  torch::Device device_;
  Twin twin_{nullptr};
  Head head_{nullptr};
  Group memory_, encoder_, head_group_;
};

}  // namespace memmatch::train
