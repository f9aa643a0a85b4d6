#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "data/claims.h"

namespace memmatch::data {

// The one evidence set of a claim that training aims at and strict match compares with: its first
// sentence and, where the set has more, a second one.
struct ChosenEvidence {
  SentenceName first;
  std::optional<SentenceName> second;

  friend bool operator==(const ChosenEvidence&, const ChosenEvidence&) = default;
};

// Chooses as the paper's preparation does (§4.1): sets whose titles the claim's cover reaches come
// first, then small ones, then early sentences; the first in the file where all that is equal. The
// first sentence is the set's first whose title is covered, or just the first where none is; the
// second is the first of the others. None where there is no set.
std::optional<ChosenEvidence> choose_evidence(
    std::span<const EvidenceSet> sets,
    const std::function<bool(const std::string& raw_title)>& covered);

}  // namespace memmatch::data
