#pragma once

#include <torch/torch.h>

#include "train/twin.h"

namespace memmatch::bench {

// The network as research code runs it in LibTorch: every sequence padded to `length`, attention
// over the padding masked, one operation after the other. Where gradients are on, autograd follows.
class PaddedBert {
 public:
  explicit PaddedBert(train::Twin twin) : twin_(std::move(twin)) {}

  // For training; 0 is none.
  void set_dropout(double dropout) { dropout_ = dropout; }

  // The level's vectors of sequences [first, first + count) of the batch.
  torch::Tensor encode(const engine::PackedBatch& batch, std::int64_t first, std::int64_t count,
                       std::int64_t length, int level);

 private:
  torch::Tensor hidden_states(const torch::Tensor& tokens, const torch::Tensor& mask);
  torch::Tensor attend(train::TwinLayerImpl& layer, const torch::Tensor& x,
                       const torch::Tensor& additive_mask);
  torch::Tensor drop(const torch::Tensor& x) const;

  train::Twin twin_;
  double dropout_ = 0;
};

}  // namespace memmatch::bench
