#pragma once

#include "train/operations.h"

// The operations of operations.h in LibTorch's own terms: for devices other than the CPU, and to
// check the fast ones against.

namespace memmatch::train::plain {

torch::Tensor product(const torch::Tensor& x, const torch::Tensor& weight);

torch::Tensor attention(const torch::Tensor& qkv, const std::vector<std::int64_t>& offsets,
                        std::int64_t heads, Noise* noise);

torch::Tensor positive_maximum(const torch::Tensor& rows, const std::vector<std::int64_t>& offsets);

}  // namespace memmatch::train::plain
