#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "train/arithmetic.h"
#include "train/noise.h"

// The differentiable operations of the twin that LibTorch has no fast form of: over packed rows,
// without padding, with oneDNN's matrix products, on the calling thread. Tensors on other devices
// than the CPU go to plain_operations.h.

namespace memmatch::train {

// x W^T for x[rows][in], W[out][in].
torch::Tensor product(const torch::Tensor& x, const torch::Tensor& weight,
                      Arithmetic arithmetic = Arithmetic::fp32);

// x W^T + b.
torch::Tensor affine(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
                     Arithmetic arithmetic = Arithmetic::fp32);

// Attention within each sequence. `qkv` is [tokens][3 * hidden]: query, key, value beside each
// other; sequence i is its rows [offsets[i], offsets[i + 1]). Gives [tokens][hidden]. `noise`,
// where given, drops attention weights.
torch::Tensor attention(const torch::Tensor& qkv, const std::vector<std::int64_t>& offsets,
                        std::int64_t heads, Noise* noise);

// max(0, the largest of each column within each sequence): [tokens][width] to [sequences][width].
torch::Tensor positive_maximum(const torch::Tensor& rows, const std::vector<std::int64_t>& offsets);

}  // namespace memmatch::train
