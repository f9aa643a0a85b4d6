#pragma once

#include <span>
#include <vector>

#include "train/recipe.h"
#include "train/training_set.h"

// From a claim and what the search found for it to the pairs that it trains (reference §5.2; with
// D3, D6 and D20 decided as docs/paper.md says).

namespace memmatch::train {

// What the search found for a claim, nearest first: level 1's beam, and level 2's order of it.
struct Beam {
  std::vector<SentenceId> level1;
  std::vector<SentenceId> level2;

  friend bool operator==(const Beam&, const Beam&) = default;
};

// The first `count` of the beam that are in no gold set of the claim.
std::vector<SentenceId> hard_negatives(std::span<const SentenceId> beam,
                                       std::span<const SentenceId> gold, std::int64_t count);

// The supports of a claim's pairs, as sentences. What is empty makes no pairs.
struct ClaimPairs {
  std::vector<SentenceId> level1_matches;  // the chosen evidence
  std::vector<SentenceId> level1_negatives;
  std::vector<SentenceId> level2_matches;  // its leading sentence (D3)
  std::vector<SentenceId> level2_negatives;
  std::vector<SentenceId> reference;  // evidence of the level-3 pairs with the "Reference:" query
  std::vector<SentenceId> predicted;  // … with the "Predict:" query: level 2's first z
};

ClaimPairs make_pairs(const TrainingClaim& claim, const Beam& beam, const PairsRecipe& recipe,
                      const StageRecipe& stage);

// A claim and its beam as if its evidence were not there: unverifiable, with what else was found.
struct Withheld {
  TrainingClaim claim;
  Beam beam;
};
Withheld withhold_evidence(const TrainingClaim& claim, const Beam& beam);

}  // namespace memmatch::train
