#include "eval/calibrate.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "eval/gold_evidence.h"
#include "eval/labelled_claims.h"
#include "eval/retrieval.h"
#include "memmatch/error.h"

namespace memmatch::eval {
namespace {

// Whether the top of level 2 is the claim's chosen evidence.
bool retrieval_is_right(const data::Claim& claim, const Verdict& verdict, Datastore& store) {
  if (!claim.verifiable() || claim.evidence.empty()) return false;
  const GoldEvidence gold = find_gold_evidence(store, claim, store.cover(claim.text));
  std::vector<RankedSentence> beam;
  for (const Evidence& evidence : verdict.evidence) beam.push_back({evidence.id, 0});
  return is_strict_match(gold, beam);
}

void add_outcome(const data::Claim& claim, const Verdict& verdict, MeasuredClaims& measured) {
  const std::optional<audit::LevelDistances> distances = audit::level_distances(verdict);
  if (!distances) return;
  const bool right = verdict.label == *claim.label;
  measured.outcomes.push_back({*distances, verdict.label, right});
  if (right) measured.level3.push_back(distances->level3);
}

MeasuredClaims from_file(const std::filesystem::path& file, std::uint64_t used,
                         std::uint64_t total) {
  return {{file.filename().string(), to_hex(content_hash_of_file(file)), used, total}, {}, {}, {}};
}

EvaluateOptions evaluate_options(const CalibrateOptions& options, MeasuredClaims& measured) {
  EvaluateOptions result;
  result.batch = options.batch;
  result.progress = options.progress;
  result.visit = [&](const data::Claim& claim, const Verdict& verdict) {
    add_outcome(claim, verdict, measured);
  };
  return result;
}

// The outcomes of all, weighed so that each source counts the same.
std::vector<audit::Outcome> together(std::span<const MeasuredClaims> sources) {
  std::vector<audit::Outcome> all;
  std::size_t count = 0;
  for (const MeasuredClaims& source : sources) count += source.outcomes.size();
  const double share = static_cast<double>(count) / static_cast<double>(sources.size());
  for (const MeasuredClaims& source : sources) {
    for (audit::Outcome outcome : source.outcomes) {
      outcome.weight = share / static_cast<double>(source.outcomes.size());
      all.push_back(outcome);
    }
  }
  return all;
}

}  // namespace

MeasuredClaims measure(const std::filesystem::path& claims, Datastore& store,
                       const SearchClaims& search, const CalibrateOptions& options) {
  const LabelledClaims chosen(claims, {.sample = options.sample});
  MeasuredClaims measured = from_file(claims, chosen.count(), chosen.total());
  chosen.for_each_batch(options.batch, options.progress, [&](std::span<const data::Claim> batch) {
    const std::vector<Verdict> verdicts = search(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Verdict& verdict = verdicts.at(i);
      add_outcome(batch[i], verdict, measured);
      if (retrieval_is_right(batch[i], verdict, store))
        measured.level2.push_back(*verdict.level2_distance());
    }
  });
  return measured;
}

MeasuredClaims measure_pairs(const std::filesystem::path& pairs, const SearchPairs& search,
                             const CalibrateOptions& options) {
  const PairSet set = read_pairs(pairs, false, {.sample = options.sample});
  MeasuredClaims measured = from_file(pairs, set.pairs.size(), set.total);
  evaluate_pairs(set, search, evaluate_options(options, measured));
  return measured;
}

MeasuredClaims measure_symmetric(const std::filesystem::path& file, const SymmetricSet& set,
                                 const SearchGiven& search, const CalibrateOptions& options) {
  MeasuredClaims measured = from_file(file, set.rows.size(), set.rows.size());
  evaluate_symmetric(set, search, evaluate_options(options, measured));
  return measured;
}

audit::Calibration calibrate(const MeasuredClaims& train, std::span<const MeasuredClaims> others) {
  if (train.level2.empty() || train.level3.empty()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: of its {} claims, {} retrievals and {} decisions were right; "
                            "there must be some of both to calibrate with",
                            train.source.file, train.source.used, train.level2.size(),
                            train.level3.size()));
  }
  for (const MeasuredClaims& other : others) {
    if (other.source.hash != train.source.hash) continue;
    throw Error(ErrorKind::invalid_argument,
                "the confidence must be fitted on other claims than the means are taken from");
  }
  audit::Calibration calibration;
  calibration.train = train.source;
  calibration.level2 = audit::statistics_of(train.level2);
  calibration.level3 = audit::statistics_of(train.level3);
  if (others.empty()) return calibration;
  for (const MeasuredClaims& other : others) calibration.fitted_on.push_back(other.source);
  calibration.confidence = audit::fit_confidence(together(others));
  return calibration;
}

}  // namespace memmatch::eval
