#include "engine/matmul_set.h"

#include <algorithm>

namespace memmatch::engine {

void MatmulSet::run(const PackedLinear& linear, const void* x, std::int64_t rows, void* y) {
  matmul(linear.shape, linear.weight.get_desc())
      .run(linear.weight.get_data_handle(), linear.columns().bias, x, rows, y, stream_);
}

void MatmulSet::run_columns(const PackedLinear& linear, std::int64_t first, std::int64_t count,
                            const void* x, std::int64_t rows, void* y) {
  LinearShape shape = linear.shape;
  shape.out = count;
  shape.destination = Destination::overwritten;
  matmul(shape, linear.column_layout(count))
      .run(linear.column_weights(first), linear.columns().bias + first, x, rows, y, stream_);
}

Matmul& MatmulSet::matmul(const LinearShape& shape, const dnnl::memory::desc& layout) {
  auto found = std::find_if(matmuls_.begin(), matmuls_.end(), [&](const Matmul& m) {
    return m.shape() == shape && m.layout() == layout;
  });
  if (found == matmuls_.end()) found = matmuls_.emplace(found, shape, layout, device_);
  return *found;
}

}  // namespace memmatch::engine
