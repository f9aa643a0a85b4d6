#include "engine/products.h"

#include <algorithm>

#include "engine/products_fp32.h"
#include "engine/products_int8.h"

namespace memmatch::engine {

void MatmulSet::run(const PackedLinear& linear, const void* x, std::int64_t rows, void* y) {
  auto found = std::find_if(matmuls_.begin(), matmuls_.end(),
                            [&](const Matmul& m) { return m.shape() == linear.shape; });
  if (found == matmuls_.end()) found = matmuls_.emplace(found, linear.shape, device_);
  found->run(linear, x, rows, y, stream_);
}

std::unique_ptr<Products> make_products(Precision precision, const LargestLinear& largest,
                                        const Kernels& kernels, const dnnl::engine& device) {
  if (precision == Precision::int8) return std::make_unique<Int8Products>(largest, kernels, device);
  return std::make_unique<Fp32Products>(largest, kernels, device);
}

}  // namespace memmatch::engine
