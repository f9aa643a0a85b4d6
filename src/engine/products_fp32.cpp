#include "engine/products_fp32.h"

namespace memmatch::engine {

Fp32Products::Fp32Products(const LargestLinear& largest, const Kernels& kernels,
                           const dnnl::engine& device)
    : kernels_(kernels),
      matmuls_(device),
      intermediate_(static_cast<std::size_t>(row_blocks(Precision::fp32).largest * largest.in)) {}

void Fp32Products::project(const PackedLinear& linear, const float* x, std::int64_t rows,
                           float* y) {
  for_row_blocks(rows, Precision::fp32, [&](std::int64_t first, std::int64_t count) {
    matmuls_.run(linear, x + first * linear.shape.in, count, y + first * linear.shape.out);
  });
}

void Fp32Products::add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) {
  project(linear, x, rows, y);  // the layer was packed with Destination::added
}

void Fp32Products::feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                                float* x) {
  for_row_blocks(rows, Precision::fp32, [&](std::int64_t first, std::int64_t count) {
    float* block = x + first * up.shape.in;
    matmuls_.run(up, block, count, intermediate_.data());
    kernels_.gelu(intermediate_.data(), count * up.shape.out);
    matmuls_.run(down, intermediate_.data(), count, block);
  });
}

}  // namespace memmatch::engine
