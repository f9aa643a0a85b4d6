#include "engine/products.h"

#include "engine/products_fp32.h"
#include "engine/products_int8.h"

namespace memmatch::engine {

std::unique_ptr<Products> make_products(Precision precision, const LargestLinear& largest,
                                        const Kernels& kernels) {
  if (precision == Precision::int8) return std::make_unique<Int8Products>(largest, kernels);
  return std::make_unique<Fp32Products>(largest, kernels);
}

// A part of the columns is at most all of them: the team may have a layer of one column block.
Hand make_hand(Precision precision, const LargestLinear& largest, std::int64_t attention_scratch,
               const dnnl::engine& device) {
  const auto block = static_cast<std::size_t>(row_blocks(precision).largest * largest.out);
  const bool int8 = precision == Precision::int8;
  return {MatmulSet(device), Buffer<float>(static_cast<std::size_t>(attention_scratch)),
          Buffer<float>(static_cast<std::size_t>(largest.out)),
          Buffer<std::int32_t>(int8 ? block : 0), Buffer<float>(int8 ? 0 : block)};
}

}  // namespace memmatch::engine
