#include "train/pairs.h"

#include <algorithm>

namespace memmatch::train {

std::vector<SentenceId> hard_negatives(std::span<const SentenceId> beam,
                                       std::span<const SentenceId> gold, std::int64_t count) {
  std::vector<SentenceId> negatives;
  for (const SentenceId id : beam) {
    if (static_cast<std::int64_t>(negatives.size()) == count) break;
    if (std::find(gold.begin(), gold.end(), id) == gold.end()) negatives.push_back(id);
  }
  return negatives;
}

ClaimPairs make_pairs(const TrainingClaim& claim, const Beam& beam, const PairsRecipe& recipe,
                      const StageRecipe& stage) {
  ClaimPairs pairs;
  if (trains_level(stage, 3)) {
    const auto first = std::min(beam.level2.size(), static_cast<std::size_t>(stage.z));
    pairs.predicted.assign(beam.level2.begin(),
                           beam.level2.begin() + static_cast<std::ptrdiff_t>(first));
  }
  if (claim.chosen.empty()) return pairs;
  if (trains_level(stage, 1)) {
    const std::int64_t count =
        stage.level1_negatives > 0 ? stage.level1_negatives : recipe.level1_negatives;
    pairs.level1_matches = claim.chosen;
    pairs.level1_negatives = hard_negatives(beam.level1, claim.gold, count);
  }
  if (trains_level(stage, 2)) {
    pairs.level2_matches = {claim.chosen.front()};
    pairs.level2_negatives = hard_negatives(beam.level2, claim.gold, recipe.level2_negatives);
  }
  if (trains_level(stage, 3) && stage.reference) pairs.reference = claim.chosen;
  return pairs;
}

Withheld withhold_evidence(const TrainingClaim& claim, const Beam& beam) {
  Withheld withheld;
  withheld.claim.text = claim.text;
  withheld.claim.label = Label::unverifiable;
  withheld.beam.level1 = hard_negatives(beam.level1, claim.gold, std::ssize(beam.level1));
  withheld.beam.level2 = hard_negatives(beam.level2, claim.gold, std::ssize(beam.level2));
  return withheld;
}

}  // namespace memmatch::train
