#include "audit/risk_coverage.h"

#include <gtest/gtest.h>

namespace memmatch::audit {
namespace {

TEST(RiskCoverageTest, AreaAndAccuracyByHand) {
  // In order of trust: right, right, wrong, right. Risks 0, 0, 1/3, 1/4.
  const RiskCoverage curve(
      std::vector<Trusted>{{0.2, true}, {0.9, true}, {0.8, true}, {0.5, false}});
  EXPECT_DOUBLE_EQ(curve.area(), (1.0 / 3 + 1.0 / 4) / 4);
  EXPECT_DOUBLE_EQ(curve.least_area(), (1.0 / 4) / 4);
  EXPECT_DOUBLE_EQ(curve.accuracy_at(0.5), 1);
  EXPECT_DOUBLE_EQ(curve.accuracy_at(0.75), 2.0 / 3);
  EXPECT_DOUBLE_EQ(curve.accuracy_at(1), 0.75);
  EXPECT_DOUBLE_EQ(curve.accuracy_at(0), 1);
}

TEST(RiskCoverageTest, EquallyTrustedVerdictsCountAsMixed) {
  const RiskCoverage right_first(std::vector<Trusted>{{1, true}, {1, false}});
  const RiskCoverage wrong_first(std::vector<Trusted>{{1, false}, {1, true}});
  EXPECT_DOUBLE_EQ(right_first.area(), 0.5);
  EXPECT_DOUBLE_EQ(wrong_first.area(), 0.5);
}

TEST(RiskCoverageTest, WhatCouldNotBeMeasuredComesLast) {
  const RiskCoverage curve(std::vector<Trusted>{{std::nullopt, false}, {-1e9, true}});
  EXPECT_DOUBLE_EQ(curve.accuracy_at(0.5), 1);
}

TEST(RiskCoverageTest, PointsEndAtFullCoverage) {
  std::vector<Trusted> verdicts;
  for (int i = 0; i < 1000; ++i) verdicts.push_back({i, i >= 500});
  const auto points = RiskCoverage(verdicts).points(100);
  ASSERT_EQ(points.size(), 100u);
  EXPECT_DOUBLE_EQ(points.front().coverage, 0.01);
  EXPECT_DOUBLE_EQ(points[49].accuracy, 1);
  EXPECT_DOUBLE_EQ(points.back().coverage, 1);
  EXPECT_DOUBLE_EQ(points.back().accuracy, 0.5);
  EXPECT_TRUE(RiskCoverage({}).points().empty());
  EXPECT_EQ(RiskCoverage({}).area(), 0);
}

TEST(CutOffTest, RunningAccuracyByDistance) {
  const auto curve = cut_off_curve({{3, false}, {1, true}, {2, true}, {2, false}});
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[0].count, 1u);
  EXPECT_EQ(curve[1].distance, 2);
  EXPECT_EQ(curve[1].count, 3u);
  EXPECT_DOUBLE_EQ(curve[1].accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(curve[2].accuracy, 0.5);
}

TEST(CutOffTest, IsThinnedButKeepsItsEnds) {
  std::vector<AtDistance> verdicts;
  for (int i = 0; i < 999; ++i) verdicts.push_back({static_cast<double>(i), true});
  const auto curve = cut_off_curve(verdicts, 50);
  EXPECT_EQ(curve.size(), 50u);
  EXPECT_EQ(curve.front().distance, 0);
  EXPECT_EQ(curve.back().count, 999u);
}

}  // namespace
}  // namespace memmatch::audit
