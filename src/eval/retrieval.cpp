#include "eval/retrieval.h"

#include <algorithm>

namespace memmatch::eval {
namespace {

using Beam = std::span<const RankedSentence>;

bool in_beam(Beam beam, SentenceId id) {
  return std::any_of(beam.begin(), beam.end(), [&](const auto& entry) { return entry.id == id; });
}

template <typename T>
bool contains(const std::vector<T>& sorted, const T& value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

double reciprocal_rank(const GoldEvidence& gold, Beam beam) {
  const auto first = std::find_if(beam.begin(), beam.end(), [&](const RankedSentence& entry) {
    return contains(gold.sentences, entry.id);
  });
  return first == beam.end() ? 0 : 1 / static_cast<double>(first - beam.begin() + 1);
}

}  // namespace

bool is_strict_match(const GoldEvidence& gold, Beam beam) {
  return !gold.chosen.empty() && beam.size() >= gold.chosen.size() &&
         std::equal(gold.chosen.begin(), gold.chosen.end(), beam.begin(),
                    [](SentenceId id, const RankedSentence& entry) { return id == entry.id; });
}

bool contains_gold_set(const GoldEvidence& gold, Beam beam) {
  return std::any_of(gold.sets.begin(), gold.sets.end(), [&](const auto& set) {
    return std::all_of(set.begin(), set.end(), [&](SentenceId id) { return in_beam(beam, id); });
  });
}

void count_retrieval(const GoldEvidence& gold, Beam beam, Retrieval& figures) {
  const auto right_document = [&](const RankedSentence& entry) {
    return contains(gold.documents, entry.document);
  };
  ++figures.claims;
  figures.strict += is_strict_match(gold, beam);
  figures.any_chosen += std::any_of(gold.chosen.begin(), gold.chosen.end(),
                                    [&](SentenceId id) { return in_beam(beam, id); });
  figures.any_document += std::any_of(beam.begin(), beam.end(), right_document);
  figures.top_document += !beam.empty() && right_document(beam.front());
  for (std::size_t i = 0; i < Retrieval::kDepths.size(); ++i) {
    const std::size_t depth = std::min(Retrieval::kDepths[i], beam.size());
    figures.complete_at[i] += contains_gold_set(gold, beam.first(depth));
  }
  figures.complete += contains_gold_set(gold, beam);
  figures.reciprocal_ranks += reciprocal_rank(gold, beam);
}

}  // namespace memmatch::eval
