#include "eval/fever_score.h"

#include <gtest/gtest.h>

namespace memmatch::eval {
namespace {

using data::EvidenceSet;
using data::Gold;
using data::SentenceName;

Gold gold(Label label, const std::vector<EvidenceSet>& sets) {
  Gold gold{"", label, {}};
  for (const EvidenceSet& set : sets) gold.evidence.push_back({set, false});
  return gold;
}

constexpr Label S = Label::supports;
constexpr Label R = Label::refutes;
constexpr Label U = Label::unverifiable;

FeverScore score_one(const Gold& gold, std::optional<Label> label,
                     const std::vector<SentenceName>& evidence, std::size_t max_evidence = 5) {
  FeverScorer scorer(max_evidence);
  scorer.add(gold, label, evidence);
  return scorer.score();
}

// Test vector T16 of the reference.
FeverScore six_claims(std::size_t max_evidence) {
  FeverScorer scorer(max_evidence);
  const auto add = [&](const Gold& gold, Label label, const std::vector<SentenceName>& evidence) {
    scorer.add(gold, label, evidence);
  };
  add(gold(S, {{{"A", 0}, {"B", 1}}, {{"D", 0}}}), S, {{"A", 0}, {"B", 1}, {"C", 2}});
  add(gold(R, {{{"A", 0}, {"B", 1}}}), R, {{"A", 0}});
  add(gold(R, {{{"X", 3}}}), S, {{"X", 3}, {"Y", 0}});
  add(gold(U, {}), U, {{"Z", 0}});
  add(gold(S, {{{"G", 9}}}), S, {{"a", 0}, {"b", 0}, {"c", 0}, {"d", 0}, {"e", 0}, {"G", 9}});
  add(gold(S, {{{"Q", 0}}}), U, {});
  EXPECT_EQ(scorer.claims(), 6u);
  EXPECT_EQ(scorer.verifiable(), 5u);
  return scorer.score();
}

TEST(FeverScore, SixClaims) {
  const FeverScore score = six_claims(5);
  EXPECT_NEAR(score.fever_score, 1.0 / 3, 1e-12);
  EXPECT_NEAR(score.accuracy, 2.0 / 3, 1e-12);
  EXPECT_NEAR(score.precision, 0.633333, 1e-6);
  EXPECT_NEAR(score.recall, 0.4, 1e-12);
  EXPECT_NEAR(score.f1, 0.490323, 1e-6);
}

TEST(FeverScore, SixSentencesCountWhereAsked) {
  const FeverScore score = six_claims(6);
  EXPECT_NEAR(score.fever_score, 0.5, 1e-12);
  EXPECT_NEAR(score.accuracy, 2.0 / 3, 1e-12);
  EXPECT_NEAR(score.precision, 0.666667, 1e-6);
  EXPECT_NEAR(score.recall, 0.6, 1e-12);
  EXPECT_NEAR(score.f1, 0.631579, 1e-6);
}

TEST(FeverScore, NothingIsDividedByZero) {
  EXPECT_EQ(FeverScorer().score(), (FeverScore{0, 0, 1, 0, 0}));
  EXPECT_EQ(score_one(gold(U, {}), U, {{"A", 0}}), (FeverScore{1, 1, 1, 0, 0}));
  EXPECT_EQ(score_one(gold(S, {{{"A", 0}}}), S, {{"B", 0}}), (FeverScore{0, 1, 0, 0, 0}));
}

TEST(FeverScore, PrecisionIsOneWhereNothingIsPredicted) {
  EXPECT_EQ(score_one(gold(S, {{{"A", 0}}}), S, {}).precision, 1);
  EXPECT_EQ(score_one(gold(S, {{{"A", 0}}}), S, {{"A", 0}}, 0), (FeverScore{0, 1, 1, 0, 0}));
}

TEST(FeverScore, RepeatedPredictionsCountEachTime) {
  EXPECT_EQ(score_one(gold(S, {{{"A", 0}}}), S, {{"B", 0}, {"A", 0}, {"A", 0}, {"C", 1}}).precision,
            0.5);
}

TEST(FeverScore, AVerifiableClaimWithoutSetsIsRecalledButNeverStrictlyRight) {
  EXPECT_EQ(score_one(gold(S, {}), S, {{"A", 0}}), (FeverScore{0, 1, 0, 1, 0}));
}

TEST(FeverScore, AnEmptySetIsAlwaysComplete) {
  EXPECT_EQ(score_one(gold(S, {{}}), S, {}), (FeverScore{1, 1, 1, 1, 1}));
}

TEST(FeverScore, ASetWithANullIsNeverComplete) {
  Gold odd = gold(S, {{{"A", 0}}});
  odd.evidence[0].unreachable = true;
  EXPECT_EQ(score_one(odd, S, {{"A", 0}}), (FeverScore{0, 1, 1, 0, 0}));
}

TEST(FeverScore, EvidenceCountsWhateverTheLabel) {
  EXPECT_EQ(score_one(gold(S, {{{"A", 0}}}), R, {{"A", 0}}), (FeverScore{0, 0, 1, 1, 1}));
  EXPECT_EQ(score_one(gold(S, {{{"A", 0}}}), std::nullopt, {{"A", 0}}),
            (FeverScore{0, 0, 1, 1, 1}));
}

TEST(FeverScore, TitlesAreComparedAsTheyStand) {
  const Gold composed = gold(S, {{{"Caf\u00e9", 0}}});
  const std::vector<SentenceName> decomposed{{"Cafe\u0301", 0}};
  EXPECT_EQ(score_one(composed, S, decomposed).recall, 0);
  EXPECT_EQ(score_one(with_nfc_titles(composed), S, with_nfc_titles(decomposed)).recall, 1);
}

}  // namespace
}  // namespace memmatch::eval
