#pragma once

#include <array>
#include <cstdint>

#include "memmatch/types.h"

// What the reports in Markdown and JSON have in common.

namespace memmatch::eval {

inline constexpr std::array kLabels = {Label::supports, Label::refutes, Label::unverifiable};

inline std::size_t index(Label label) { return static_cast<std::size_t>(label); }

inline double percent(double part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * part / static_cast<double>(whole);
}

inline double percent(std::uint64_t part, std::uint64_t whole) {
  return percent(static_cast<double>(part), whole);
}

// Names of the kinds of symmetric rows, in the order of SymmetricKind.
inline constexpr std::array kKindNames = {"original", "changed_evidence", "changed_claim",
                                          "changed_both"};

}  // namespace memmatch::eval
