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

}  // namespace
}  // namespace memmatch::train
