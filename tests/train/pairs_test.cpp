#include "train/pairs.h"

#include <gtest/gtest.h>

namespace memmatch::train {
namespace {

using Ids = std::vector<SentenceId>;

TrainingClaim verifiable(Ids chosen, Ids gold) {
  TrainingClaim claim;
  claim.label = Label::refutes;
  claim.chosen = std::move(chosen);
  claim.gold = std::move(gold);
  return claim;
}

// The reference's test vector T12.
TEST(HardNegatives, AreThoseOfTheReferencesExamples) {
  const std::vector<std::tuple<Ids, Ids, Ids>> examples = {
      {{7, 3, 9}, {7}, {3}},    {{3, 7, 9}, {7}, {3}},
      {{7}, {7}, {}},           {{7, 3, 9}, {7, 3}, {9}},
      {{3, 7, 9}, {7, 3}, {9}}, {{3, 9, 7}, {7, 3}, {9}},
      {{9, 3, 7}, {7, 3}, {9}}, {{7, 3}, {7, 3}, {}},
      {{7}, {7, 3}, {}},        {{}, {7}, {}},
      {{5, 6, 1}, {}, {5}}};
  for (const auto& [beam, chosen, negatives] : examples)
    EXPECT_EQ(hard_negatives(beam, chosen, 1), negatives);
}

TEST(HardNegatives, SeveralAreTheNearestInTheirOrder) {
  EXPECT_EQ(hard_negatives(Ids{4, 7, 2, 9, 1}, Ids{7}, 3), (Ids{4, 2, 9}));
  EXPECT_EQ(hard_negatives(Ids{4, 7}, Ids{7}, 3), (Ids{4}));
  EXPECT_EQ(hard_negatives(Ids{4, 7}, Ids{7}, 0), Ids{});
}

// D6.
TEST(HardNegatives, AreNeverGoldSentencesOfOtherEvidenceSets) {
  const TrainingClaim claim = verifiable({7}, {2, 3, 7});
  const ClaimPairs pairs = make_pairs(claim, {{3, 2, 7, 5}, {2, 7, 3, 5}}, {}, {});
  EXPECT_EQ(pairs.level1_negatives, (Ids{5}));
  EXPECT_EQ(pairs.level2_negatives, (Ids{5}));
}

TEST(ClaimPairs, AVerifiableClaimTrainsAllLevels) {
  const PairsRecipe recipe{.level1_negatives = 2, .level2_negatives = 1};
  const ClaimPairs pairs =
      make_pairs(verifiable({7, 8}, {7, 8}), {{1, 7, 2, 8, 3}, {8, 3, 2, 7, 1}}, recipe, {});
  EXPECT_EQ(pairs.level1_matches, (Ids{7, 8}));
  EXPECT_EQ(pairs.level1_negatives, (Ids{1, 2}));
  EXPECT_EQ(pairs.level2_matches, (Ids{7})) << "the leading sentence alone (D3)";
  EXPECT_EQ(pairs.level2_negatives, (Ids{3}));
  EXPECT_EQ(pairs.reference, (Ids{7, 8}));
  EXPECT_EQ(pairs.predicted, (Ids{8, 3, 2}));
}

TEST(ClaimPairs, AStageMayTrainSomeLevelsWithNegativesOfItsOwnNumber) {
  const PairsRecipe recipe{.level1_negatives = 1, .level2_negatives = 1};
  const Beam beam{{1, 7, 2, 3}, {3, 2, 7, 1}};
  const ClaimPairs first =
      make_pairs(verifiable({7}, {7}), beam, recipe, {.levels = {1}, .level1_negatives = 3});
  EXPECT_EQ(first.level1_matches, (Ids{7}));
  EXPECT_EQ(first.level1_negatives, (Ids{1, 2, 3}));
  EXPECT_TRUE(first.level2_matches.empty() && first.level2_negatives.empty());
  EXPECT_TRUE(first.reference.empty() && first.predicted.empty());
  const ClaimPairs others = make_pairs(verifiable({7}, {7}), beam, recipe, {.levels = {2, 3}});
  EXPECT_TRUE(others.level1_matches.empty() && others.level1_negatives.empty());
  EXPECT_EQ(others.level2_negatives, (Ids{3}));
  EXPECT_EQ(others.predicted, (Ids{3, 2, 7}));
}

TEST(ClaimPairs, AnUnverifiableClaimTrainsLevel3WithWhatWasFound) {
  TrainingClaim claim;
  const ClaimPairs pairs = make_pairs(claim, {{5, 6, 1}, {6, 1, 5}}, {}, {.z = 2});
  EXPECT_EQ(pairs.predicted, (Ids{6, 1}));
  EXPECT_TRUE(pairs.level1_matches.empty() && pairs.level1_negatives.empty());
  EXPECT_TRUE(pairs.level2_matches.empty() && pairs.level2_negatives.empty());
  EXPECT_TRUE(pairs.reference.empty());
}

// D20: a claim misses only the pairs that it cannot make.
TEST(ClaimPairs, AVerifiableClaimWithoutItsEvidenceStillTrainsLevel3) {
  const ClaimPairs pairs = make_pairs(verifiable({}, {9}), {{5, 6}, {6, 5}}, {}, {});
  EXPECT_EQ(pairs.predicted, (Ids{6, 5}));
  EXPECT_TRUE(pairs.level1_matches.empty() && pairs.level1_negatives.empty());
  EXPECT_TRUE(pairs.level2_matches.empty() && pairs.level2_negatives.empty());
  EXPECT_TRUE(pairs.reference.empty());
}

TEST(ClaimPairs, AnEmptyBeamLeavesWhatDoesNotDependOnIt) {
  const ClaimPairs pairs = make_pairs(verifiable({7}, {7}), {}, {}, {});
  EXPECT_EQ(pairs.level1_matches, (Ids{7}));
  EXPECT_EQ(pairs.level2_matches, (Ids{7}));
  EXPECT_EQ(pairs.reference, (Ids{7}));
  EXPECT_TRUE(pairs.level1_negatives.empty() && pairs.level2_negatives.empty());
  EXPECT_TRUE(pairs.predicted.empty());
}

TEST(ClaimPairs, TheReferencePairsCanBeLeftOut) {
  EXPECT_TRUE(make_pairs(verifiable({7}, {7}), {}, {}, {.reference = false}).reference.empty());
}

TEST(Pairs, AClaimWithoutItsEvidenceIsUnverifiable) {
  const TrainingClaim claim = verifiable({7}, {7, 8});
  const Withheld without = withhold_evidence(claim, {{3, 7, 5, 8}, {8, 7, 5, 3}});
  EXPECT_EQ(without.claim.text, claim.text);
  EXPECT_FALSE(without.claim.verifiable());
  EXPECT_EQ(without.beam, (Beam{{3, 5}, {5, 3}}));
  const ClaimPairs pairs = make_pairs(without.claim, without.beam, {}, {});
  EXPECT_EQ(pairs.predicted, (Ids{5, 3}));
  EXPECT_TRUE(pairs.level1_matches.empty() && pairs.level2_matches.empty() &&
              pairs.reference.empty());
}

}  // namespace
}  // namespace memmatch::train
