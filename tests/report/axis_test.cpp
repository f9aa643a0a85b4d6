#include "report/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace memmatch::report {
namespace {

using Numbers = std::vector<double>;

void expect_ticks(const Axis& axis, const Numbers& expected) {
  ASSERT_EQ(axis.ticks.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(axis.ticks[i], expected[i], 1e-12);
}

TEST(Axis, TicksAreMultiplesOfOneTwoOrFive) {
  expect_ticks(wide_axis({0.02, 0.93}, 5), {0, 0.2, 0.4, 0.6, 0.8, 1.0});
  expect_ticks(wide_axis({-3, 17}, 5), {-5, 0, 5, 10, 15, 20});
  expect_ticks(tight_axis({0, 20'300}, 6), {0, 5000, 10'000, 15'000, 20'000});
}

TEST(Axis, TightAxisKeepsItsEndsAndWideAxisEndsWithTicks) {
  const Axis tight = tight_axis({3, 17}, 6);
  EXPECT_EQ(tight.range.low, 3);
  EXPECT_EQ(tight.range.high, 17);
  EXPECT_GE(tight.ticks.front(), 3);
  EXPECT_LE(tight.ticks.back(), 17);
  const Axis wide = wide_axis({3, 17}, 5);
  EXPECT_LE(wide.range.low, 3);
  EXPECT_GE(wide.range.high, 17);
  EXPECT_EQ(wide.range.low, wide.ticks.front());
  EXPECT_EQ(wide.range.high, wide.ticks.back());
}

TEST(Axis, ValuesOnATickDoNotWidenTheAxis) {
  const Axis axis = wide_axis({0, 0.6}, 3);  // 3 * 0.2 is a little more than 0.6
  EXPECT_EQ(axis.ticks.size(), 4u);
}

TEST(Axis, ARangeWithoutExtentIsWidened) {
  for (const double value : {0.0, 5.0, -2e-5, 1e15}) {
    for (const Axis& axis : {tight_axis({value, value}, 5), wide_axis({value, value}, 5)}) {
      EXPECT_LE(axis.range.low, value);
      EXPECT_GT(axis.range.high, axis.range.low);
      EXPECT_GE(axis.ticks.size(), 2u);
      EXPECT_LE(axis.ticks.size(), 12u);
    }
  }
}

TEST(Axis, LabelsHaveTheDigitsThatTheStepNeeds) {
  EXPECT_EQ(tick_label(0.3, 0.1), "0.3");
  EXPECT_EQ(tick_label(0.25, 0.05), "0.25");
  EXPECT_EQ(tick_label(40, 20), "40");
  EXPECT_EQ(tick_label(1500, 500), "1500");
  EXPECT_EQ(tick_label(15'000, 5000), "15k");
  EXPECT_EQ(tick_label(2'000'000, 1'000'000), "2M");
  EXPECT_EQ(tick_label(2e-5, 5e-6), "2e-5");
  EXPECT_EQ(tick_label(-1.5e-5, 5e-6), "-1.5e-5");
  EXPECT_EQ(tick_label(0, 5000), "0");
}

TEST(Axis, WhatIsNotANumberCannotBeDrawn) {
  EXPECT_TRUE(drawable(-3.5));
  EXPECT_FALSE(drawable(std::nan("")));
  EXPECT_FALSE(drawable(-std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(drawable(1e300));
}

}  // namespace
}  // namespace memmatch::report
