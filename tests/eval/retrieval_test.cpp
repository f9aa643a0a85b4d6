#include "eval/retrieval.h"

#include <gtest/gtest.h>

#include <numeric>

namespace memmatch::eval {
namespace {

// Sentence n is in document n / 10.
std::vector<RankedSentence> beam(const std::vector<SentenceId>& ids) {
  std::vector<RankedSentence> beam;
  for (const SentenceId id : ids) beam.push_back({id, id / 10});
  return beam;
}

GoldEvidence gold(const std::vector<std::vector<SentenceId>>& sets,
                  const std::vector<SentenceId>& chosen) {
  GoldEvidence gold;
  gold.sets = sets;
  gold.chosen = chosen;
  for (const auto& set : sets) gold.sentences.insert(gold.sentences.end(), set.begin(), set.end());
  std::sort(gold.sentences.begin(), gold.sentences.end());
  for (const SentenceId id : gold.sentences) gold.documents.push_back(id / 10);
  return gold;
}

Retrieval count(const GoldEvidence& gold, const std::vector<SentenceId>& ids) {
  Retrieval figures;
  count_retrieval(gold, beam(ids), figures);
  return figures;
}

TEST(Retrieval, StrictMatchIsTheChosenSentenceOnTop) {
  EXPECT_EQ(count(gold({{71}}, {71}), {71, 31, 91}).strict, 1u);
  EXPECT_EQ(count(gold({{71}}, {71}), {31, 71, 91}).strict, 0u);
  EXPECT_EQ(count(gold({{71}, {31}}, {71}), {31, 71}).strict, 0u) << "another set's sentence";
  EXPECT_EQ(count(gold({{71}}, {71}), {}).strict, 0u);
}

TEST(Retrieval, StrictMatchOfTwoSentencesIsInOrder) {
  const GoldEvidence two = gold({{71, 31}}, {71, 31});
  EXPECT_EQ(count(two, {71, 31, 91}).strict, 1u);
  EXPECT_EQ(count(two, {31, 71, 91}).strict, 0u);
  EXPECT_EQ(count(two, {71}).strict, 0u);
  EXPECT_EQ(count(gold({}, {71, 0}), {71, 31}).strict, 0u) << "the second is not in the store";
}

TEST(Retrieval, SentencesAndDocumentsInTheBeam) {
  const Retrieval figures = count(gold({{71, 31}, {55}}, {71, 31}), {39, 20, 31});
  EXPECT_EQ(figures.any_chosen, 1u);
  EXPECT_EQ(figures.any_document, 1u);
  EXPECT_EQ(figures.top_document, 1u) << "39 is of the same document as 31";
  EXPECT_EQ(figures.complete, 0u);
  EXPECT_DOUBLE_EQ(figures.reciprocal_ranks, 1.0 / 3);
  const Retrieval none = count(gold({{71}}, {71}), {20, 10});
  EXPECT_EQ(none.any_chosen + none.any_document + none.top_document, 0u);
  EXPECT_EQ(none.reciprocal_ranks, 0);
}

TEST(Retrieval, ACompleteSetCountsFromTheDepthWhereItIsWhole) {
  const Retrieval figures = count(gold({{71, 31}, {55}}, {55}), {10, 31, 20, 71, 30, 55});
  EXPECT_EQ(figures.complete_at, (std::array<std::uint64_t, 6>{0, 0, 1, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(figures.reciprocal_ranks, 0.5);
  std::vector<SentenceId> many(200);
  std::iota(many.begin(), many.end(), 1000);
  const Retrieval late = count(gold({{1101}}, {1101}), many);
  EXPECT_EQ(late.complete_at.back(), 0u);
  EXPECT_EQ(late.complete, 1u);
}

}  // namespace
}  // namespace memmatch::eval
