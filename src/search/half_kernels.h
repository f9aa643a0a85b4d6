#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace memmatch::search {

// What level 1 over the whole datastore spends its time on, for one set of instructions.
struct HalfKernels {
  std::string_view name;

  // distance() to the support that these halves stand for, to the bit.
  double (*distance)(std::span<const float> query, std::span<const std::uint16_t> support);

  // Writes as many floats as there are halves.
  void (*floats)(std::span<const std::uint16_t> halves, float* floats);
};

// Those that this processor can run, fastest first.
std::span<const HalfKernels> half_kernels();

}  // namespace memmatch::search
