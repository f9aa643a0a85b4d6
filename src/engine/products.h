#pragma once

#include <memory>

#include "engine/buffer.h"
#include "engine/linear.h"
#include "engine/team.h"

namespace memmatch::engine {

// The largest layers that will be multiplied, for the size of the workspace.
struct LargestLinear {
  std::int64_t in;
  std::int64_t out;
};

// The linear layers of an encoder, in one of the precisions, with buffers for one group at a time.
// `rows` is always a multiple of the row blocks' unit; x and y are dense. A team that is not one
// worker alone splits the columns; the results have the same bits.
class Products {
 public:
  virtual ~Products() = default;

  // y = W x + b
  virtual void project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
                       Team& team) = 0;

  // y += W x + b
  virtual void add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
                   Team& team) = 0;

  // x += W_down gelu(W_up x + b_up) + b_down
  virtual void feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                            float* x, Team& team) = 0;

  virtual std::size_t workspace_bytes() const = 0;
};

std::unique_ptr<Products> make_products(Precision precision, const LargestLinear& largest,
                                        const Kernels& kernels);

Hand make_hand(Precision precision, const LargestLinear& largest, std::int64_t attention_scratch,
               const dnnl::engine& device);

// Calls f(first row, rows) for each block.
template <typename F>
void for_row_blocks(std::int64_t rows, Precision precision, F&& f) {
  const std::int64_t largest = row_blocks(precision).largest;
  for (std::int64_t first = 0; first < rows; first += largest)
    f(first, std::min(largest, rows - first));
}

}  // namespace memmatch::engine
