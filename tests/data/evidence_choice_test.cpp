#include "data/evidence_choice.h"

#include <gtest/gtest.h>

namespace memmatch::data {
namespace {

bool covered(std::string_view title) { return title == "Alpha" || title == "Beta"; }

// The reference's test vector T7.
TEST(EvidenceChoice, PrefersCoveredTitlesThenSmallThenEarlySets) {
  const std::vector<EvidenceSet> sets = {
      {{"Gamma", 0}}, {{"Beta", 4}, {"Gamma", 0}},  {{"Alpha", 7}},
      {{"Beta", 3}},  {{"Gamma", 1}, {"Alpha", 0}}, {{"Beta", 3}, {"Beta", 1}},
  };
  EXPECT_EQ(choose_evidence(sets, covered), (ChosenEvidence{{"Beta", 3}, {}}));
}

TEST(EvidenceChoice, TheFirstSentenceIsTheFirstCoveredOne) {
  EXPECT_EQ(choose_evidence({{{"Gamma", 1}, {"Alpha", 0}, {"Beta", 2}}}, covered),
            (ChosenEvidence{{"Alpha", 0}, SentenceName{"Gamma", 1}}));
  EXPECT_EQ(choose_evidence({{{"Gamma", 1}, {"Delta", 0}}}, covered),
            (ChosenEvidence{{"Gamma", 1}, SentenceName{"Delta", 0}}));
}

TEST(EvidenceChoice, TheFirstOfEqualSetsWins) {
  const std::vector<EvidenceSet> sets = {{{"Beta", 3}}, {{"Alpha", 3}}};
  EXPECT_EQ(choose_evidence(sets, covered), (ChosenEvidence{{"Beta", 3}, {}}));
}

TEST(EvidenceChoice, WithoutSetsThereIsNone) {
  EXPECT_FALSE(choose_evidence({}, covered));
  EXPECT_FALSE(choose_evidence({{}}, covered));
}

}  // namespace
}  // namespace memmatch::data
