#include "engine/kernels/kernels.h"

#include <oneapi/dnnl/dnnl.hpp>

#include "engine/kernels/tables.h"

namespace memmatch::engine {
namespace {

// oneDNN's names are sets of bits, in which a better instruction set contains the lesser ones.
bool includes(dnnl::cpu_isa isa, dnnl::cpu_isa part) {
  const auto bits = static_cast<unsigned>(part);
  return (static_cast<unsigned>(isa) & bits) == bits;
}

}  // namespace

std::int64_t attention_scratch(const AttentionShape& longest) {
  constexpr std::int64_t kWidestVector = 16;
  constexpr std::int64_t kMostTileRows = 6;
  const auto padded = [](std::int64_t n) {
    return (n + kWidestVector - 1) / kWidestVector * kWidestVector;
  };
  return padded(longest.length) * (1 + kMostTileRows + longest.head_size) +
         longest.length * padded(longest.head_size);
}

Isa best_isa() {
  const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  if (includes(isa, dnnl::cpu_isa::avx512_core)) return Isa::avx512;
  if (includes(isa, dnnl::cpu_isa::avx2)) return Isa::avx2;
  return Isa::generic;
}

const Kernels& kernels(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return kAvx512Kernels;
    case Isa::avx2:
      return kAvx2Kernels;
    case Isa::generic:
      break;
  }
  return kGenericKernels;
}

}  // namespace memmatch::engine
