#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "data/claims.h"

namespace memmatch::data {

// The evidence that stands for a claim in training: at most two sentences of one annotated set.
struct ChosenEvidence {
  SentenceName first;
  std::optional<SentenceName> second;

  friend bool operator==(const ChosenEvidence&, const ChosenEvidence&) = default;
};

// Chooses among a claim's annotated sets (reference §1.5): those whose titles the claim covers come
// before smaller ones, and smaller ones before those from later in the article; the first of equals
// wins. None where there are no sets.
std::optional<ChosenEvidence> choose_evidence(
    const std::vector<EvidenceSet>& sets,
    const std::function<bool(std::string_view title)>& covered);

}  // namespace memmatch::data
