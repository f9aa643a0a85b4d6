#pragma once

#include <array>
#include <string_view>

#include "memmatch/types.h"

// The words that tell the network which part of which level's sequence it is looking at.

namespace memmatch {

inline constexpr std::string_view kClaimPrefix = "Claim:";
inline constexpr std::string_view kEvidencePrefix = "Evidence:";
inline constexpr std::string_view kConsiderPrefix = "Consider:";    // level 2
inline constexpr std::string_view kPredictPrefix = "Predict:";      // level 3 query
inline constexpr std::string_view kReferencePrefix = "Reference:";  // level 3 query, in training

// Level 3's supports start with one of these, in the order of Label.
inline constexpr std::array<std::string_view, 3> kLabelPrefixes = {
    "Supports:", "Refutes:", "Unverifiable:"};

inline std::string_view label_prefix(Label label) {
  return kLabelPrefixes[static_cast<std::size_t>(label)];
}

}  // namespace memmatch
