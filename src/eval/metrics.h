#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/claims.h"
#include "eval/confusion.h"
#include "eval/fever_score.h"
#include "eval/moments.h"
#include "eval/retrieval.h"
#include "memmatch/verifier.h"

namespace memmatch::eval {

// Everything that is measured of verdicts on labelled claims (docs/evaluation.md defines each).
struct Figures {
  std::uint64_t claims = 0;
  Confusion confusion{};
  FeverScorer fever;      // titles compared as they stand, as the official scorer does
  FeverScorer fever_nfc;  // titles compared in NFC

  std::uint64_t with_gold = 0;  // verifiable claims with gold evidence
  std::uint64_t within_cover =
      0;             // of these, with a complete gold set among the cover's candidates
  Retrieval level1;  // counts only claims whose verdict has beams
  Retrieval level2;
  Retrieval overlap;  // the baseline, where there is one

  // Level-2 distance of the top; "strict" and "other" as in Retrieval::strict.
  Moments level2_strict, level2_other, level2_unverifiable, level2_all;
  // Level-3 distance of the label that the model decided on, by whether that one is right.
  Moments level3_right, level3_wrong;

  // Claims that a faultless level 3 could get right: the evidence holds a complete gold set, or
  // nothing needs to be found.
  std::uint64_t oracle_right = 0;
  std::uint64_t oracle_strict = 0;  // the same within the sentences that FEVER counts

  std::uint64_t fallbacks = 0;           // claims that were searched for in the whole datastore
  std::uint64_t without_candidates = 0;  // claims for which there was nothing to look at
  SearchTimes seconds;                   // summed

  std::uint64_t right() const { return right_count(confusion); }
};

// Turns verdicts into figures, one at a time; it keeps none of them.
class Metrics {
 public:
  explicit Metrics(Datastore& store) : store_(store) {}

  // `claim` must have a label: throws Error(invalid_argument). `overlap`, where given, is the
  // baseline's ranking of the same cover.
  void add(const data::Claim& claim, const Verdict& verdict, const Cover& cover,
           const std::vector<RankedSentence>* overlap = nullptr);

  const Figures& figures() const { return figures_; }

 private:
  void add_decision(const data::Claim& claim, const Verdict& verdict);
  void add_distances(const Verdict& verdict, bool verifiable, bool right, bool strict);
  void add_retrieval(const GoldEvidence& gold, const Verdict& verdict, const Cover& cover,
                     const std::vector<RankedSentence>& level2);

  Datastore& store_;
  Figures figures_;
};

}  // namespace memmatch::eval
