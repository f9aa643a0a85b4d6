#include "engine/products_int8.h"

namespace memmatch::engine {
namespace {

std::size_t block_of(std::int64_t width) {
  return static_cast<std::size_t>(row_blocks(Precision::int8).largest * width);
}

}  // namespace

Int8Products::Int8Products(const LargestLinear& largest, const Kernels& kernels,
                           const dnnl::engine& device)
    : kernels_(kernels),
      matmuls_(device),
      bytes_(block_of(largest.in)),
      scales_(block_of(1)),
      products_(block_of(largest.out)),
      row_(static_cast<std::size_t>(largest.out)) {}

void Int8Products::multiply(const PackedLinear& linear, const float* x, std::int64_t rows) {
  const std::int64_t in = linear.shape.in;
  for (std::int64_t r = 0; r < rows; ++r)
    scales_.data()[r] = kernels_.quantize(x + r * in, bytes_.data() + r * in, in);
  matmuls_.run(linear, bytes_.data(), rows, products_.data());
}

void Int8Products::add_products(const PackedLinear& linear, std::int64_t rows, float* y) {
  const std::int64_t out = linear.shape.out;
  const ColumnScales columns = linear.columns();
  for (std::int64_t r = 0; r < rows; ++r) {
    kernels_.dequantize_add(products_.data() + r * out, scales_.data()[r], columns, y + r * out,
                            out);
  }
}

void Int8Products::project(const PackedLinear& linear, const float* x, std::int64_t rows,
                           float* y) {
  const std::int64_t in = linear.shape.in;
  const std::int64_t out = linear.shape.out;
  const ColumnScales columns = linear.columns();
  for_row_blocks(rows, Precision::int8, [&](std::int64_t first, std::int64_t count) {
    multiply(linear, x + first * in, count);
    for (std::int64_t r = 0; r < count; ++r) {
      kernels_.dequantize(products_.data() + r * out, scales_.data()[r], columns,
                          y + (first + r) * out, out);
    }
  });
}

void Int8Products::add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) {
  for_row_blocks(rows, Precision::int8, [&](std::int64_t first, std::int64_t count) {
    multiply(linear, x + first * linear.shape.in, count);
    add_products(linear, count, y + first * linear.shape.out);
  });
}

void Int8Products::activate(const PackedLinear& up, std::int64_t rows) {
  const std::int64_t width = up.shape.out;
  const ColumnScales columns = up.columns();
  for (std::int64_t r = 0; r < rows; ++r) {
    RowScale& scale = scales_.data()[r];
    scale = kernels_.dequantize_gelu_quantize(products_.data() + r * width, scale, columns,
                                              row_.data(), bytes_.data() + r * width, width);
  }
}

void Int8Products::feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                                float* x) {
  for_row_blocks(rows, Precision::int8, [&](std::int64_t first, std::int64_t count) {
    float* block = x + first * up.shape.in;
    multiply(up, block, count);
    activate(up, count);
    matmuls_.run(down, bytes_.data(), count, products_.data());
    add_products(down, count, block);
  });
}

std::size_t Int8Products::workspace_bytes() const {
  return bytes_.bytes() + scales_.bytes() + products_.bytes() + row_.bytes();
}

}  // namespace memmatch::engine
