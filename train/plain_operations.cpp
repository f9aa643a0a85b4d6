#include "train/plain_operations.h"

#include <cmath>

namespace memmatch::train::plain {

using torch::Tensor;

Tensor product(const Tensor& x, const Tensor& weight) { return torch::matmul(x, weight.t()); }

Tensor attention(const Tensor& qkv, const std::vector<std::int64_t>& offsets, std::int64_t heads,
                 Noise* noise) {
  const std::int64_t hidden = qkv.size(1) / 3;
  const double scale = 1 / std::sqrt(static_cast<double>(hidden / heads));
  std::vector<Tensor> mixed;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const std::int64_t length = offsets[s + 1] - offsets[s];
    // [3][heads][length][head size]
    const Tensor parts = qkv.narrow(0, offsets[s], length)
                             .view({length, 3, heads, hidden / heads})
                             .permute({1, 2, 0, 3});
    const Tensor scores = torch::matmul(parts[0], parts[1].transpose(1, 2)) * scale;
    Tensor weights = torch::softmax(scores, -1);
    if (noise) weights = noise->drop(weights);
    mixed.push_back(torch::matmul(weights, parts[2]).transpose(0, 1).reshape({length, hidden}));
  }
  return torch::cat(mixed);
}

Tensor positive_maximum(const Tensor& rows, const std::vector<std::int64_t>& offsets) {
  std::vector<Tensor> largest;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const Tensor sequence = rows.narrow(0, offsets[s], offsets[s + 1] - offsets[s]);
    largest.push_back(torch::relu(std::get<0>(sequence.max(0))));
  }
  return torch::stack(largest);
}

}  // namespace memmatch::train::plain
