#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/gold_evidence.h"
#include "memmatch/types.h"

namespace memmatch::eval {

struct RankedSentence {
  SentenceId id = 0;
  DocumentId document = 0;
};

// How well one level ranks, over verifiable claims that have gold evidence. Counts of claims.
struct Retrieval {
  // Where a complete gold set is looked for: in the first 1, 3, 5 … of the beam.
  static constexpr std::array<std::size_t, 6> kDepths = {1, 3, 5, 10, 30, 100};

  std::uint64_t claims = 0;
  std::uint64_t strict = 0;        // the top is the chosen set: its one sentence, or two in order
  std::uint64_t any_chosen = 0;    // a chosen sentence is in the beam
  std::uint64_t any_document = 0;  // a gold sentence's document is in the beam
  std::uint64_t top_document = 0;  // the top is of a gold sentence's document
  std::array<std::uint64_t, kDepths.size()> complete_at{};  // a complete gold set, by kDepths
  std::uint64_t complete = 0;                               // … anywhere in the beam
  double reciprocal_ranks = 0;  // summed, of the first sentence of any gold set; 0 without one
};

// The top of the beam is the chosen evidence.
bool is_strict_match(const GoldEvidence& gold, std::span<const RankedSentence> beam);

// A complete gold set lies in the beam.
bool contains_gold_set(const GoldEvidence& gold, std::span<const RankedSentence> beam);

// Counts one claim; `beam` is nearest first.
void count_retrieval(const GoldEvidence& gold, std::span<const RankedSentence> beam,
                     Retrieval& figures);

}  // namespace memmatch::eval
