#pragma once

#include <torch/torch.h>

#include "engine/packed_batch.h"

namespace memmatch::train {

// Takes packed rows to sequences padded to the longest of the batch, and back.
class Padding {
 public:
  explicit Padding(const engine::PackedBatch& batch);

  std::int64_t sequences() const { return mask_.size(0); }
  std::int64_t longest() const { return mask_.size(3); }

  // [tokens][width] to [sequences * longest][width], with rows of zeros as padding.
  torch::Tensor pad(const torch::Tensor& rows) const;
  // [sequences * longest][width] to [tokens][width].
  torch::Tensor unpad(const torch::Tensor& padded) const;

  // [sequences][1][1][longest], to be added to attention scores: 0 for tokens, -infinity for
  // padding.
  const torch::Tensor& attention_mask() const { return mask_; }

 private:
  torch::Tensor to_padded_;  // the packed row of each padded one; one past the last for padding
  torch::Tensor to_packed_;  // the padded row of each packed one
  torch::Tensor mask_;
};

}  // namespace memmatch::train
