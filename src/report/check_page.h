#pragma once

#include <span>

#include "memmatch/check.h"
#include "report/html.h"

namespace memmatch::report {

// A page with the texts, sentences coloured by their verdicts, paler where these are less sure,
// each with its evidence to unfold.
Page check_page(std::span<const CheckedSentence> sentences);

}  // namespace memmatch::report
