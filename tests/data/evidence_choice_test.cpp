#include "data/evidence_choice.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace memmatch::data {
namespace {

bool covered(const std::string& title) { return title == "Alpha" || title == "Beta"; }

// Test vector T7 of the reference.
TEST(EvidenceChoice, CoveredThenSmallThenEarlySetsArePreferred) {
  std::vector<EvidenceSet> sets{
      {{"Gamma", 0}}, {{"Beta", 4}, {"Gamma", 0}},  {{"Alpha", 7}},
      {{"Beta", 3}},  {{"Gamma", 1}, {"Alpha", 0}}, {{"Beta", 3}, {"Beta", 1}}};
  const ChosenEvidence beta3{{"Beta", 3}, std::nullopt};
  EXPECT_EQ(choose_evidence(sets, covered), beta3);
  std::reverse(sets.begin(), sets.end());
  EXPECT_EQ(choose_evidence(sets, covered), beta3);
  // Without the single sentences: wholly covered, before smaller shares.
  const std::vector<EvidenceSet> larger{sets[4], sets[1], sets[0]};
  EXPECT_EQ(choose_evidence(larger, covered), (ChosenEvidence{{"Beta", 3}, {{"Beta", 1}}}));
}

TEST(EvidenceChoice, TheFirstSentenceIsTheFirstOneWithACoveredTitle) {
  const std::vector<EvidenceSet> some{{{"Gamma", 1}, {"Alpha", 0}, {"Beta", 2}}};
  EXPECT_EQ(choose_evidence(some, covered), (ChosenEvidence{{"Alpha", 0}, {{"Gamma", 1}}}));
  const std::vector<EvidenceSet> none{{{"Gamma", 1}, {"Delta", 0}}};
  EXPECT_EQ(choose_evidence(none, covered), (ChosenEvidence{{"Gamma", 1}, {{"Delta", 0}}}));
}

TEST(EvidenceChoice, OfEqualSetsTheFirstIsTaken) {
  const std::vector<EvidenceSet> sets{{{"Beta", 2}}, {{"Alpha", 2}}};
  EXPECT_EQ(choose_evidence(sets, covered)->first.title, "Beta");
}

TEST(EvidenceChoice, ASentenceThatASetRepeatsIsNoSecondOne) {
  const std::vector<EvidenceSet> sets{{{"Beta", 2}, {"Beta", 2}}};
  EXPECT_EQ(choose_evidence(sets, covered), (ChosenEvidence{{"Beta", 2}, std::nullopt}));
}

TEST(EvidenceChoice, ThereIsNoneWithoutSets) {
  EXPECT_EQ(choose_evidence({}, covered), std::nullopt);
}

}  // namespace
}  // namespace memmatch::data
