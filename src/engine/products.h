#pragma once

#include <memory>
#include <vector>

#include "engine/buffer.h"
#include "engine/linear.h"

namespace memmatch::engine {

// The largest layers that will be multiplied, for the size of the workspace.
struct LargestLinear {
  std::int64_t in;
  std::int64_t out;
};

// The linear layers of an encoder, for one thread, in one of the precisions. `rows` is always a
// multiple of the row blocks' unit; x and y are dense.
class Products {
 public:
  virtual ~Products() = default;

  // y = W x + b
  virtual void project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) = 0;

  // y += W x + b
  virtual void add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) = 0;

  // x += W_down gelu(W_up x + b_up) + b_down
  virtual void feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                            float* x) = 0;

  virtual std::size_t workspace_bytes() const = 0;
};

std::unique_ptr<Products> make_products(Precision precision, const LargestLinear& largest,
                                        const Kernels& kernels, const dnnl::engine& device);

// The kernels of a worker's few shapes, found by linear search.
class MatmulSet {
 public:
  explicit MatmulSet(const dnnl::engine& device) : device_(device), stream_(device) {}

  void run(const PackedLinear& linear, const void* x, std::int64_t rows, void* y);

 private:
  dnnl::engine device_;
  dnnl::stream stream_;
  std::vector<Matmul> matmuls_;
};

// Calls f(first row, rows) for each block.
template <typename F>
void for_row_blocks(std::int64_t rows, Precision precision, F&& f) {
  const std::int64_t largest = row_blocks(precision).largest;
  for (std::int64_t first = 0; first < rows; first += largest)
    f(first, std::min(largest, rows - first));
}

}  // namespace memmatch::engine
