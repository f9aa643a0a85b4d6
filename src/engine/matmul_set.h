#pragma once

#include <vector>

#include "engine/linear.h"

namespace memmatch::engine {

// The kernels of a thread's few shapes, found by linear search.
class MatmulSet {
 public:
  explicit MatmulSet(const dnnl::engine& device) : device_(device), stream_(device) {}

  // As Matmul::run(), of all columns.
  void run(const PackedLinear& linear, const void* x, std::int64_t rows, void* y);

  // Of `count` columns from `first` on, a multiple of the layer's column block; y is dense,
  // [rows][count], and overwritten.
  void run_columns(const PackedLinear& linear, std::int64_t first, std::int64_t count,
                   const void* x, std::int64_t rows, void* y);

 private:
  Matmul& matmul(const LinearShape& shape, const dnnl::memory::desc& layout);

  dnnl::engine device_;
  dnnl::stream stream_;
  std::vector<Matmul> matmuls_;
};

}  // namespace memmatch::engine
