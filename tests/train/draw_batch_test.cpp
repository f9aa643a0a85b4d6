#include "train/draw_batch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace memmatch::train {
namespace {

TEST(DrawBatch, EvidenceIsWithheldAsOftenAsAskedAndTheSameAgain) {
  const StageRecipe stage{.withheld_share = 0.2};
  const std::vector<bool> drawn = draw_withheld(stage, 7, 3, 10'000);
  EXPECT_NEAR(static_cast<double>(std::count(drawn.begin(), drawn.end(), true)), 2000, 200);
  EXPECT_EQ(draw_withheld(stage, 7, 3, 10'000), drawn);
  EXPECT_NE(draw_withheld(stage, 7, 4, 10'000), drawn);
  EXPECT_EQ(draw_withheld({}, 7, 3, 50), std::vector<bool>(50));
}

// A share of the examples, so that half of them are as many pairs as claims.
TEST(DrawBatch, PairsAreTheShareThatIsAskedForAndTheSameAgain) {
  TrainingSet set;
  set.pairs.resize(1000);
  EXPECT_EQ(draw_pairs(set, {.pairs_share = 0.5}, 7, 3, 40).size(), 40U);
  const StageRecipe stage{.pairs_share = 0.2};
  const std::vector<const EvidencePair*> drawn = draw_pairs(set, stage, 7, 3, 40);
  EXPECT_EQ(drawn.size(), 10U);
  EXPECT_EQ(draw_pairs(set, stage, 7, 3, 40), drawn);
  EXPECT_NE(draw_pairs(set, stage, 7, 4, 40), drawn);
  EXPECT_TRUE(draw_pairs({}, {}, 7, 3, 40).empty());
}

}  // namespace
}  // namespace memmatch::train
