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
TEST(DrawBatch, ExamplesOfTheSourcesAreTheShareThatIsAskedFor) {
  EXPECT_EQ(examples_beside({.pairs_share = 0.5}, 40), 40U);
  EXPECT_EQ(examples_beside({.pairs_share = 0.2}, 40), 10U);
  EXPECT_EQ(examples_beside({}, 40), 0U);
}

}  // namespace
}  // namespace memmatch::train
