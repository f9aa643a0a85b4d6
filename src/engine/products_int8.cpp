#include "engine/products_int8.h"

#include <algorithm>

namespace memmatch::engine {
namespace {

std::size_t block_of(std::int64_t width) {
  return static_cast<std::size_t>(row_blocks(Precision::int8).largest * width);
}

ColumnScales from_column(const ColumnScales& columns, std::int64_t first) {
  return {columns.scale + first, columns.sum + first, columns.bias + first};
}

}  // namespace

Int8Products::Int8Products(const LargestLinear& largest, const Kernels& kernels)
    : kernels_(kernels),
      bytes_(block_of(largest.in)),
      scales_(block_of(1)),
      products_(block_of(largest.out)) {}

void Int8Products::quantize(const float* x, std::int64_t rows, std::int64_t width, Team& team) {
  team.rows(rows, [&](Hand&, std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r)
      scales_.data()[r] = kernels_.quantize(x + r * width, bytes_.data() + r * width, width);
  });
}

template <typename F>
void Int8Products::multiply(const PackedLinear& linear, std::int64_t rows, Team& team, F&& f) {
  const std::int64_t out = linear.shape.out;
  if (team.is_alone()) {
    team.leader().matmuls.run(linear, bytes_.data(), rows, products_.data());
    for (std::int64_t r = 0; r < rows; ++r) f(r, products_.data() + r * out, std::int64_t{0}, out);
    return;
  }
  team.columns(linear, [&](Hand& hand, std::int64_t first, std::int64_t count) {
    hand.matmuls.run_columns(linear, first, count, bytes_.data(), rows, hand.part.data());
    for (std::int64_t r = 0; r < rows; ++r) f(r, hand.part.data() + r * count, first, count);
  });
}

void Int8Products::multiply_add(const PackedLinear& linear, std::int64_t rows, float* y,
                                Team& team) {
  const ColumnScales columns = linear.columns();
  multiply(linear, rows, team,
           [&](std::int64_t r, const std::int32_t* products, std::int64_t first, std::int64_t n) {
             kernels_.dequantize_add(products, scales_.data()[r], from_column(columns, first),
                                     y + r * linear.shape.out + first, n);
           });
}

void Int8Products::project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
                           Team& team) {
  const std::int64_t in = linear.shape.in;
  const std::int64_t out = linear.shape.out;
  const ColumnScales columns = linear.columns();
  for_row_blocks(rows, Precision::int8, [&](std::int64_t top, std::int64_t count) {
    quantize(x + top * in, count, in, team);
    multiply(linear, count, team,
             [&](std::int64_t r, const std::int32_t* products, std::int64_t first, std::int64_t n) {
               kernels_.dequantize(products, scales_.data()[r], from_column(columns, first),
                                   y + (top + r) * out + first, n);
             });
  });
}

void Int8Products::add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
                       Team& team) {
  for_row_blocks(rows, Precision::int8, [&](std::int64_t first, std::int64_t count) {
    quantize(x + first * linear.shape.in, count, linear.shape.in, team);
    multiply_add(linear, count, y + first * linear.shape.out, team);
  });
}

void Int8Products::activate(const PackedLinear& up, std::int64_t rows, Team& team) {
  const std::int64_t width = up.shape.out;
  const ColumnScales columns = up.columns();
  team.rows(rows, [&](Hand& hand, std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      RowScale& scale = scales_.data()[r];
      scale = kernels_.dequantize_gelu_quantize(products_.data() + r * width, scale, columns,
                                                hand.row.data(), bytes_.data() + r * width, width);
    }
  });
}

// The scale of a row of the intermediate layer depends on all its columns: they are put together
// before.
void Int8Products::feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                                float* x, Team& team) {
  const std::int64_t width = up.shape.out;
  for_row_blocks(rows, Precision::int8, [&](std::int64_t top, std::int64_t count) {
    float* block = x + top * up.shape.in;
    quantize(block, count, up.shape.in, team);
    multiply(up, count, team,
             [&](std::int64_t r, const std::int32_t* products, std::int64_t first, std::int64_t n) {
               std::int32_t* to = products_.data() + r * width + first;
               if (to != products) std::copy_n(products, n, to);
             });
    activate(up, count, team);
    multiply_add(down, count, block, team);
  });
}

std::size_t Int8Products::workspace_bytes() const {
  return bytes_.bytes() + scales_.bytes() + products_.bytes();
}

}  // namespace memmatch::engine
