#pragma once

#include <string>

#include "base/json.h"

namespace memmatch::report {

// Verdicts with claim and evidence, one card each: the list `which` of an evaluation's `examples`.
// Wrong labels, and distances beyond the means of trust's calibration, stand out, as in the paper's
// appendix C.
std::string example_cards(const JsonObject& examples, const char* which, const JsonObject& trust);

}  // namespace memmatch::report
