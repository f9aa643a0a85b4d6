#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memmatch/verifier.h"
#include "report/html.h"

namespace memmatch::report {

// A sentence of a text that was checked.
struct CheckedSentence {
  std::string file;
  std::string text;
  std::string not_judged;          // why, behind "it"; empty where there is a verdict
  std::optional<Verdict> verdict;  // where it was judged

  std::optional<double> confidence() const;
};

// A page with the texts, sentences coloured by their verdicts, paler where these are less sure,
// each with its evidence to unfold.
Page check_page(std::span<const CheckedSentence> sentences);

}  // namespace memmatch::report
