#include "eval/fever_score.h"

#include <algorithm>

#include "text/unicode.h"

namespace memmatch::eval {
namespace {

double ratio(double part, std::uint64_t whole, double if_none) {
  return whole == 0 ? if_none : part / static_cast<double>(whole);
}

bool contains(std::span<const data::SentenceName> sentences, const data::SentenceName& name) {
  return std::find(sentences.begin(), sentences.end(), name) != sentences.end();
}

bool in_any_set(const data::Gold& gold, const data::SentenceName& name) {
  return std::any_of(gold.evidence.begin(), gold.evidence.end(),
                     [&](const data::GoldSet& set) { return contains(set.sentences, name); });
}

double precision(const data::Gold& gold, std::span<const data::SentenceName> evidence) {
  const auto hits = std::count_if(evidence.begin(), evidence.end(),
                                  [&](const auto& name) { return in_any_set(gold, name); });
  return ratio(static_cast<double>(hits), evidence.size(), 1.0);
}

}  // namespace

bool contains_gold_set(const data::Gold& gold, std::span<const data::SentenceName> evidence) {
  return std::any_of(gold.evidence.begin(), gold.evidence.end(), [&](const data::GoldSet& set) {
    return !set.unreachable &&
           std::all_of(set.sentences.begin(), set.sentences.end(),
                       [&](const auto& name) { return contains(evidence, name); });
  });
}

void FeverScorer::add(const data::Gold& gold, std::optional<Label> label,
                      std::span<const data::SentenceName> evidence) {
  evidence = evidence.first(std::min(max_evidence_, evidence.size()));
  const bool correct = label == gold.label;
  ++claims_;
  correct_ += correct;
  if (!gold.verifiable()) {
    strict_ += correct;
    return;
  }
  const bool complete = contains_gold_set(gold, evidence);
  ++verifiable_;
  strict_ += correct && complete;
  recalled_ += complete || gold.evidence.empty();
  precision_ += precision(gold, evidence);
}

FeverScore FeverScorer::score() const {
  FeverScore score;
  score.fever_score = ratio(static_cast<double>(strict_), claims_, 0);
  score.accuracy = ratio(static_cast<double>(correct_), claims_, 0);
  score.precision = ratio(precision_, verifiable_, 1);
  score.recall = ratio(static_cast<double>(recalled_), verifiable_, 0);
  const double sum = score.precision + score.recall;
  score.f1 = sum == 0 ? 0 : 2 * score.precision * score.recall / sum;
  return score;
}

data::Gold with_nfc_titles(data::Gold gold) {
  for (data::GoldSet& set : gold.evidence)
    set.sentences = with_nfc_titles(std::move(set.sentences));
  return gold;
}

std::vector<data::SentenceName> with_nfc_titles(std::vector<data::SentenceName> evidence) {
  for (data::SentenceName& name : evidence) name.title = text::nfc(name.title);
  return evidence;
}

}  // namespace memmatch::eval
