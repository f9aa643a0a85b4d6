#pragma once

#include <optional>

#include "memmatch/verifier.h"

namespace memmatch::audit {

// How likely it is that the evidence supports the claim, from the verdict's confidence: that
// itself where the label is "supports". Where it is not, what is missing to certainty is shared
// evenly by the other labels, between which a calibration does not tell. None without a
// confidence.
std::optional<double> support_probability(const Verdict& verdict);

}  // namespace memmatch::audit
