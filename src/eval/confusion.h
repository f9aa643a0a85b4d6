#pragma once

#include <array>
#include <cstdint>

#include "memmatch/types.h"

namespace memmatch::eval {

// Decisions on labelled claims, counted: [gold label][label].
using Confusion = std::array<std::array<std::uint64_t, 3>, 3>;

inline std::uint64_t gold_count(const Confusion& confusion, Label gold) {
  const auto& row = confusion[static_cast<std::size_t>(gold)];
  return row[0] + row[1] + row[2];
}

inline std::uint64_t claim_count(const Confusion& confusion) {
  return gold_count(confusion, Label::supports) + gold_count(confusion, Label::refutes) +
         gold_count(confusion, Label::unverifiable);
}

inline std::uint64_t right_count(const Confusion& confusion) {
  return confusion[0][0] + confusion[1][1] + confusion[2][2];
}

}  // namespace memmatch::eval
