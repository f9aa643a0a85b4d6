#pragma once

#include <torch/torch.h>

#include "train/twin.h"

namespace memmatch::bench {

// The network as research code runs it in LibTorch: every sequence padded to `length`, attention
// over the padding masked, one operation after the other.
class PaddedBert {
 public:
  explicit PaddedBert(train::Twin twin) : twin_(std::move(twin)) {}

  // The level's vectors of sequences [first, first + count) of the batch.
  torch::Tensor encode(const engine::PackedBatch& batch, std::int64_t first, std::int64_t count,
                       std::int64_t length, int level);

 private:
  torch::Tensor hidden_states(const torch::Tensor& tokens, const torch::Tensor& mask);

  train::Twin twin_;
};

}  // namespace memmatch::bench
