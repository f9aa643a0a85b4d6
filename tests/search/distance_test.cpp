#include "search/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "search/levels.h"

namespace memmatch::search {
namespace {

std::vector<float> filled(std::size_t size, float value) { return std::vector<float>(size, value); }

// T3 of the reference.
TEST(Distance, AddsEpsilonToEveryComponent) {
  EXPECT_NEAR(distance(filled(3, 2), filled(3, 2)), 1.732050808e-6, 1e-12);
  EXPECT_NEAR(distance(filled(1000, 0), filled(1000, 0)), 3.162277660e-5, 1e-10);
  EXPECT_NEAR(distance(filled(2000, 0), filled(2000, 0)), 4.472135955e-5, 1e-10);
  const std::vector<float> q{3, 4};
  EXPECT_NEAR(distance(q, filled(2, 0)), 5.0000014, 1e-6);
  EXPECT_NEAR(distance(filled(2, 0), q), 4.9999986, 1e-6);
}

TEST(Distance, IsTheEuclideanNorm) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  for (const std::size_t size : {1U, 15U, 16U, 17U, 1000U}) {
    std::vector<float> q(size);
    std::vector<float> s(size);
    double square = 0;
    for (std::size_t i = 0; i < size; ++i) {
      q[i] = normal(random);
      s[i] = normal(random);
      const double difference = static_cast<double>(q[i]) - s[i] + 1e-6;
      square += difference * difference;
    }
    EXPECT_NEAR(distance(q, s), std::sqrt(square), 1e-5 * std::sqrt(square)) << size;
  }
}

// T11 of the reference: the nearest first, ties by smaller id.
TEST(KeepNearest, OrdersByDistanceThenId) {
  const std::vector<Ranked> all{{2, 0.5}, {9, 0.2}, {5, 0.2}, {14, 0.1}};
  const auto ids = [&](std::size_t k) {
    std::vector<Ranked> ranked = all;
    keep_nearest(ranked, k);
    std::vector<std::int64_t> kept;
    for (const Ranked& entry : ranked) kept.push_back(entry.id);
    return kept;
  };
  EXPECT_EQ(ids(3), (std::vector<std::int64_t>{14, 5, 9}));
  EXPECT_EQ(ids(10), (std::vector<std::int64_t>{14, 5, 9, 2}));
}

TEST(KeepNearest, WhatIsNoNumberComesLast) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Ranked> ranked;
  for (std::int64_t id = 0; id < 100; ++id)
    ranked.push_back({id, id % 3 == 0 ? nan : static_cast<double>(100 - id)});
  keep_nearest(ranked, 70);
  ASSERT_EQ(ranked.size(), 70U);
  for (std::size_t i = 0; i < 70; ++i) EXPECT_EQ(std::isnan(ranked[i].distance), i >= 66) << i;
  for (std::size_t i = 1; i < 66; ++i) EXPECT_LT(ranked[i - 1].distance, ranked[i].distance);
  EXPECT_EQ(ranked[66].id, 0);
  EXPECT_EQ(ranked[69].id, 9);
}

// T13 of the reference.
TEST(NearestLabel, TheNearestWinsAndTiesGoInTheOrderOfLabels) {
  EXPECT_EQ(nearest_label({0.36, 2.1, 1.4}), Label::supports);
  EXPECT_EQ(nearest_label({2.0, 0.5, 0.5}), Label::refutes);
  EXPECT_EQ(nearest_label({2.0, 1.0, std::nullopt}), Label::refutes);
  EXPECT_EQ(nearest_label({}), Label::unverifiable);
}

}  // namespace
}  // namespace memmatch::search
