#pragma once

#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include "engine/kernels/kernels.h"
#include "engine/precision.h"
#include "model/weights.h"

namespace memmatch::engine {

// Where the product of a linear layer goes: over what is there, or added to it (a residual).
enum class Destination { overwritten, added };

// What oneDNN needs to know to choose a layout and a kernel.
struct LinearShape {
  std::int64_t in = 0;
  std::int64_t out = 0;
  Precision precision = Precision::fp32;
  Destination destination = Destination::overwritten;

  friend bool operator==(const LinearShape&, const LinearShape&) = default;
};

// Rows are multiplied in blocks: at most `largest` rows, always a multiple of `unit`. On AVX-512, a
// row's product does not depend on the size of its block. oneDNN's kernels for lesser machines
// treat the last rows of some blocks differently; there, all blocks have the one size 48, for which
// all rows are treated alike.
struct RowBlocks {
  std::int64_t unit;
  std::int64_t largest;

  std::int64_t padded(std::int64_t rows) const { return (rows + unit - 1) / unit * unit; }
};

RowBlocks row_blocks(Precision precision);

// A linear layer packed for oneDNN.
//
// In int8, weights have a scale for each output; on machines whose only byte product is one that
// saturates at 16 bits they are kept to 7 bits, with which it cannot.
struct PackedLinear {
  LinearShape shape;
  dnnl::memory weight;
  dnnl::memory bias;          // floats
  std::vector<float> scales;  // int8: of each output
  std::vector<float> sums;    // int8: of the quantised weights of each output
  // Columns (outputs) that lie together, apart from all others, so that a range of such blocks can
  // be multiplied alone; 0 where oneDNN's layout is not of that kind.
  std::int64_t column_block = 0;

  ColumnScales columns() const;
  // The layout of `count` columns, and where those from `first` on begin.
  dnnl::memory::desc column_layout(std::int64_t count) const;
  const void* column_weights(std::int64_t first) const;
  std::size_t bytes() const;
};

PackedLinear pack(const LinearWeights& weights, Precision precision, Destination destination,
                  const dnnl::engine& device);

// Products with weights of one shape, for one thread. Kernels are made when a number of rows first
// occurs and are kept.
class Matmul {
 public:
  Matmul(const LinearShape& shape, const dnnl::memory::desc& layout, const dnnl::engine& device);

  const LinearShape& shape() const { return shape_; }
  const dnnl::memory::desc& layout() const { return layout_; }

  // y = W x + b or y += W x + b in fp32; y = W x, s32 from u8, in int8. `rows` is a multiple of
  // the blocks' unit and not more than their largest.
  void run(const void* weights, const float* bias, const void* x, std::int64_t rows, void* y,
           dnnl::stream& stream);

 private:
  struct Kernel {
    dnnl::matmul primitive;
    dnnl::memory weight;
    dnnl::memory bias;
    dnnl::memory x;
    dnnl::memory y;
    dnnl::memory scratch;
  };

  Kernel& kernel(std::int64_t rows);

  LinearShape shape_;
  dnnl::memory::desc layout_;
  dnnl::engine device_;
  std::vector<Kernel> kernels_;  // by number of units
};

}  // namespace memmatch::engine
