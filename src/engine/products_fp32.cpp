#include "engine/products_fp32.h"

#include <algorithm>

namespace memmatch::engine {

Fp32Products::Fp32Products(const LargestLinear& largest, const Kernels& kernels)
    : kernels_(kernels),
      intermediate_(static_cast<std::size_t>(row_blocks(Precision::fp32).largest * largest.in)) {}

// oneDNN's fast kernels write dense results only, so a part of the columns is written apart.
template <typename After>
void Fp32Products::run(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
                       Team& team, After&& after) {
  const std::int64_t out = linear.shape.out;
  if (team.is_alone()) {
    team.leader().matmuls.run(linear, x, rows, y);
    return after(y, rows * out);
  }
  team.columns(linear, [&](Hand& hand, std::int64_t first, std::int64_t count) {
    float* part = hand.float_part.data();
    hand.matmuls.run_columns(linear, first, count, x, rows, part);
    after(part, rows * count);
    for (std::int64_t r = 0; r < rows; ++r) {
      float* to = y + r * out + first;
      if (linear.shape.destination == Destination::added) {
        kernels_.add(part + r * count, to, to, count);
      } else {
        std::copy_n(part + r * count, count, to);
      }
    }
  });
}

void Fp32Products::project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
                           Team& team) {
  for_row_blocks(rows, Precision::fp32, [&](std::int64_t first, std::int64_t count) {
    run(linear, x + first * linear.shape.in, count, y + first * linear.shape.out, team,
        [](float*, std::int64_t) {});
  });
}

void Fp32Products::add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
                       Team& team) {
  project(linear, x, rows, y, team);  // the layer was packed with Destination::added
}

void Fp32Products::feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                                float* x, Team& team) {
  for_row_blocks(rows, Precision::fp32, [&](std::int64_t first, std::int64_t count) {
    float* block = x + first * up.shape.in;
    run(up, block, count, intermediate_.data(), team,
        [&](float* part, std::int64_t n) { kernels_.gelu(part, n); });
    run(down, intermediate_.data(), count, block, team, [](float*, std::int64_t) {});
  });
}

}  // namespace memmatch::engine
