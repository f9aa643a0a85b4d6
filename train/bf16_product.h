#pragma once

#include <torch/torch.h>

// Matrix products of bfloat16 factors by oneDNN, on the calling thread.

namespace memmatch::train {

// As bfloat16, contiguous.
torch::Tensor to_bf16(const torch::Tensor& x);

enum class Use { plain, transposed };

// The product of two matrices of bfloat16, either of which may be used transposed, in fp32.
torch::Tensor bf16_product(const torch::Tensor& a, Use use_a, const torch::Tensor& b, Use use_b);

}  // namespace memmatch::train
