#include "train/padding.h"

#include <algorithm>
#include <limits>

namespace memmatch::train {

Padding::Padding(const engine::PackedBatch& batch) {
  const auto tokens = static_cast<std::int64_t>(batch.tokens.size());
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < batch.sequences(); ++s) longest = std::max(longest, batch.length(s));
  to_padded_ = torch::full({batch.sequences() * longest}, tokens, torch::kInt64);
  to_packed_ = torch::empty({tokens}, torch::kInt64);
  mask_ = torch::full({batch.sequences(), 1, 1, longest}, -std::numeric_limits<float>::infinity());
  auto* to_padded = to_padded_.data_ptr<std::int64_t>();
  auto* to_packed = to_packed_.data_ptr<std::int64_t>();
  auto* mask = mask_.data_ptr<float>();
  std::int64_t row = 0;
  for (std::int64_t s = 0; s < batch.sequences(); ++s) {
    for (std::int64_t i = 0; i < batch.length(s); ++i, ++row) {
      to_padded[s * longest + i] = row;
      to_packed[row] = s * longest + i;
      mask[s * longest + i] = 0.0f;
    }
  }
}

torch::Tensor Padding::pad(const torch::Tensor& rows) const {
  const torch::Tensor zero = torch::zeros({1, rows.size(1)}, rows.options());
  return torch::cat({rows, zero}).index_select(0, to_padded_);
}

torch::Tensor Padding::unpad(const torch::Tensor& padded) const {
  return padded.index_select(0, to_packed_);
}

}  // namespace memmatch::train
