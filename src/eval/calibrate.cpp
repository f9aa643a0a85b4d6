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

void add(const data::Claim& claim, const Verdict& verdict, Datastore& store,
         MeasuredClaims& measured) {
  const std::optional<audit::LevelDistances> distances = audit::level_distances(verdict);
  if (!distances) return;
  const bool right = verdict.label == *claim.label;
  measured.outcomes.push_back({*distances, verdict.label, right});
  if (right) measured.level3.push_back(distances->level3);
  if (retrieval_is_right(claim, verdict, store)) measured.level2.push_back(distances->level2);
}

}  // namespace

MeasuredClaims measure(const std::filesystem::path& claims, Datastore& store,
                       const SearchClaims& search, const CalibrateOptions& options) {
  const LabelledClaims chosen(claims, {.sample = options.sample});
  MeasuredClaims measured;
  measured.source = {claims.filename().string(), to_hex(content_hash_of_file(claims)),
                     chosen.count(), chosen.total()};
  chosen.for_each_batch(options.batch, options.progress, [&](std::span<const data::Claim> batch) {
    const std::vector<Verdict> verdicts = search(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) add(batch[i], verdicts.at(i), store, measured);
  });
  return measured;
}

audit::Calibration calibrate(const MeasuredClaims& train, const MeasuredClaims* dev) {
  if (train.level2.empty() || train.level3.empty()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: of its {} claims, {} retrievals and {} decisions were right; "
                            "there must be some of both to calibrate with",
                            train.source.file, train.source.used, train.level2.size(),
                            train.level3.size()));
  }
  if (dev && dev->source.hash == train.source.hash) {
    throw Error(ErrorKind::invalid_argument,
                "the confidence must be fitted on other claims than the means are taken from");
  }
  audit::Calibration calibration;
  calibration.train = train.source;
  calibration.level2 = audit::statistics_of(train.level2);
  calibration.level3 = audit::statistics_of(train.level3);
  if (dev) {
    calibration.dev = dev->source;
    calibration.confidence = audit::fit_confidence(dev->outcomes);
  }
  return calibration;
}

}  // namespace memmatch::eval
