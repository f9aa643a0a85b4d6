#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "data/gold.h"

namespace memmatch::eval {

// The official scorer's five numbers, as fractions.
struct FeverScore {
  double fever_score = 0;  // label right and, for verifiable claims, a complete gold set predicted
  double accuracy = 0;     // label right
  double precision = 0;    // macro, over verifiable claims: predicted sentences that are gold
  double recall = 0;       // over verifiable claims: a complete gold set predicted
  double f1 = 0;           // of these two; 0 where both are 0 (the official scorer divides by zero)

  friend bool operator==(const FeverScore&, const FeverScore&) = default;
};

// Counts claim by claim with the definitions of the FEVER shared task's scorer
// (github.com/sheffieldnlp/fever-scorer): only the first `max_evidence` predicted sentences count;
// precision is 1 for a claim without predictions; recall is 1 for a verifiable claim without gold
// sets; repeated predictions count each time; titles are compared as they stand.
class FeverScorer {
 public:
  explicit FeverScorer(std::size_t max_evidence = 5) : max_evidence_(max_evidence) {}

  // No label stands for one that is none of the three: wrong.
  void add(const data::Gold& gold, std::optional<Label> label,
           std::span<const data::SentenceName> evidence);

  std::uint64_t claims() const { return claims_; }
  std::uint64_t verifiable() const { return verifiable_; }
  FeverScore score() const;

 private:
  std::size_t max_evidence_;
  std::uint64_t claims_ = 0;
  std::uint64_t verifiable_ = 0;
  std::uint64_t correct_ = 0;
  std::uint64_t strict_ = 0;
  std::uint64_t recalled_ = 0;
  double precision_ = 0;  // summed
};

// Whether some gold set lies within `evidence`. False where there is no set.
bool contains_gold_set(const data::Gold& gold, std::span<const data::SentenceName> evidence);

// The same gold and prediction with titles in Unicode's normalisation form C.
data::Gold with_nfc_titles(data::Gold gold);
std::vector<data::SentenceName> with_nfc_titles(std::vector<data::SentenceName> evidence);

}  // namespace memmatch::eval
