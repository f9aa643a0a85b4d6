#include "audit/exemplar_rules.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace memmatch::audit {
namespace {

using enum Label;

NearExemplar near(double distance, Label gold, Label predicted) {
  NearExemplar entry;
  entry.exemplar.gold = gold;
  entry.exemplar.predicted = predicted;
  entry.distance = distance;
  return entry;
}

// T18: for SUPPORTS the nearest tp is at .9, fn .4, fp .7, tn .3; for REFUTES the same exemplars
// are tn, fp, fn and tp.
std::vector<NearExemplar> reference_neighbours() {
  std::vector<NearExemplar> all{near(.9, supports, supports), near(.4, supports, refutes),
                                near(.7, refutes, supports), near(.3, refutes, refutes)};
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.distance < b.distance; });
  return all;
}

double minimum(const std::vector<NearExemplar>& all, Label label, ExemplarKind kind) {
  for (const NearExemplar& entry : all) {
    if (kind_for(label, entry.exemplar.gold, entry.exemplar.predicted) == kind)
      return entry.distance;
  }
  return -1;
}

TEST(ExemplarRules, MinimaOfTheOtherLabelAreTheReverse) {
  const std::vector<NearExemplar> all = reference_neighbours();
  using enum ExemplarKind;
  EXPECT_EQ(minimum(all, supports, true_positive), .9);
  EXPECT_EQ(minimum(all, supports, true_negative), .3);
  EXPECT_EQ(minimum(all, refutes, true_positive), .3);
  EXPECT_EQ(minimum(all, refutes, false_negative), .7);
  EXPECT_EQ(minimum(all, refutes, false_positive), .4);
  EXPECT_EQ(minimum(all, refutes, true_negative), .9);
}

TEST(ExemplarRules, ATrueNegativeNearestIsTheOtherLabelsTruePositive) {
  const std::vector<NearExemplar> all = reference_neighbours();
  EXPECT_TRUE(mostly_true_positive(refutes, std::span(all).first(1)));
  EXPECT_FALSE(mostly_true_positive(supports, std::span(all).first(1)));
}

TEST(ExemplarRules, OfThreeLabelsOnlyTheVerdictsOwnIsATruePositive) {
  const std::vector<NearExemplar> all{near(.1, unverifiable, unverifiable)};
  EXPECT_TRUE(mostly_true_positive(unverifiable, all));
  EXPECT_FALSE(mostly_true_positive(supports, all));
  EXPECT_FALSE(mostly_true_positive(refutes, all));
  EXPECT_FALSE(mostly_true_positive(refutes, {}));
}

TEST(ExemplarRules, OfSeveralNeighboursMoreThanHalfMustBeTruePositives) {
  const std::vector<NearExemplar> all{near(.1, refutes, refutes), near(.2, supports, supports),
                                      near(.3, refutes, refutes), near(.4, refutes, supports)};
  EXPECT_TRUE(mostly_true_positive(refutes, std::span(all).first(3)));
  EXPECT_FALSE(mostly_true_positive(refutes, all));  // two of four
}

TEST(ExemplarRules, TheVoteGoesToTheMostFrequentAndAmongEqualsToTheNearest) {
  const std::vector<NearExemplar> all{near(.1, supports, refutes), near(.2, refutes, supports),
                                      near(.3, refutes, supports), near(.4, unverifiable, refutes)};
  EXPECT_EQ(voted_label(std::span(all).first(1)), supports);
  EXPECT_EQ(voted_label(std::span(all).first(2)), supports);
  EXPECT_EQ(voted_label(std::span(all).first(3)), refutes);
}

TEST(ExemplarRules, OnlyTheNearestEvidenceTellsWhetherTheDatastoreChanged) {
  Verdict verdict;
  EXPECT_FALSE(evidence_changed(verdict));
  verdict.evidence.resize(2);
  verdict.evidence[1].edited = true;
  EXPECT_FALSE(evidence_changed(verdict));
  verdict.evidence[0].edited = true;
  EXPECT_TRUE(evidence_changed(verdict));
}

}  // namespace
}  // namespace memmatch::audit
