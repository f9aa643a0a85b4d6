#include "eval/metrics.h"

#include <algorithm>

#include "memmatch/error.h"

namespace memmatch::eval {
namespace {

// How many sentences of evidence FEVER's scorer counts.
constexpr std::size_t kFeverEvidence = 5;

std::size_t index(Label label) { return static_cast<std::size_t>(label); }

DocumentId document_of(SentenceId id, const Cover& cover, Datastore& store) {
  const auto found = std::lower_bound(cover.sentences.begin(), cover.sentences.end(), id,
                                      [](const Candidate& a, SentenceId b) { return a.id < b; });
  if (found != cover.sentences.end() && found->id == id) return found->document;
  const std::optional<Sentence> sentence = store.sentence(id);
  return sentence ? sentence->document : 0;
}

std::vector<RankedSentence> ranked(const std::vector<BeamEntry>& beam, const Cover& cover,
                                   Datastore& store) {
  std::vector<RankedSentence> sentences;
  for (const BeamEntry& entry : beam)
    sentences.push_back({entry.id, document_of(entry.id, cover, store)});
  return sentences;
}

std::vector<RankedSentence> ranked(const std::vector<Evidence>& evidence, const Cover& cover,
                                   Datastore& store) {
  std::vector<RankedSentence> sentences;
  for (const Evidence& entry : evidence)
    sentences.push_back({entry.id, document_of(entry.id, cover, store)});
  return sentences;
}

void add_times(const SearchTimes& times, SearchTimes& sum) {
  sum.cover += times.cover;
  sum.level1 += times.level1;
  sum.level2 += times.level2;
  sum.level3 += times.level3;
}

}  // namespace

void Metrics::add(const data::Claim& claim, const Verdict& verdict, const Cover& cover,
                  const std::vector<RankedSentence>* overlap) {
  if (!claim.label)
    throw Error(ErrorKind::invalid_argument, "a claim without label cannot be evaluated");
  const GoldEvidence gold = find_gold_evidence(store_, claim, cover);
  const std::vector<RankedSentence> level2 = ranked(verdict.evidence, cover, store_);
  add_decision(claim, verdict);
  add_distances(verdict, claim.verifiable(), verdict.model_label() == *claim.label,
                is_strict_match(gold, level2));
  if (!claim.verifiable()) {
    ++figures_.oracle_right;
    ++figures_.oracle_strict;
  } else if (!claim.evidence.empty()) {
    add_retrieval(gold, verdict, cover, level2);
    if (overlap) count_retrieval(gold, *overlap, figures_.overlap);
  }
}

void Metrics::add_decision(const data::Claim& claim, const Verdict& verdict) {
  ++figures_.claims;
  ++figures_.confusion[index(*claim.label)][index(verdict.label)];
  std::vector<data::SentenceName> evidence;
  for (const Evidence& entry : verdict.evidence)
    evidence.push_back({entry.raw_title, entry.number});
  const data::Gold gold = data::to_gold(claim);
  figures_.fever.add(gold, verdict.label, evidence);
  figures_.fever_nfc.add(with_nfc_titles(gold), verdict.label, with_nfc_titles(evidence));
  figures_.fallbacks += verdict.origin == CandidateOrigin::fallback;
  figures_.without_candidates += verdict.candidates == 0;
  add_times(verdict.times, figures_.seconds);
}

void Metrics::add_distances(const Verdict& verdict, bool verifiable, bool right, bool strict) {
  if (!verdict.evidence.empty()) {
    const double distance = verdict.evidence.front().level2_distance;
    Moments& kind = !verifiable ? figures_.level2_unverifiable
                    : strict    ? figures_.level2_strict
                                : figures_.level2_other;
    kind.add(distance);
    figures_.level2_all.add(distance);
  }
  if (const std::optional<double> distance = verdict.level3_distance())
    (right ? figures_.level3_right : figures_.level3_wrong).add(*distance);
}

void Metrics::add_retrieval(const GoldEvidence& gold, const Verdict& verdict, const Cover& cover,
                            const std::vector<RankedSentence>& level2) {
  ++figures_.with_gold;
  figures_.within_cover += gold.within_cover;
  if (verdict.beams)
    count_retrieval(gold, ranked(verdict.beams->level1, cover, store_), figures_.level1);
  count_retrieval(gold, level2, figures_.level2);
  const std::span<const RankedSentence> evidence(level2);
  figures_.oracle_right += contains_gold_set(gold, evidence);
  figures_.oracle_strict +=
      contains_gold_set(gold, evidence.first(std::min(kFeverEvidence, evidence.size())));
}

}  // namespace memmatch::eval
