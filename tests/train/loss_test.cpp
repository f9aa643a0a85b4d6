#include "train/loss.h"

#include <gtest/gtest.h>

#include <cmath>

namespace memmatch::train {
namespace {

using torch::Tensor;

// A pair whose difference vector is `delta`, as rows 2 i and 2 i + 1.
struct Example {
  std::vector<double> delta;
  bool match = false;
};

Tensor loss_of(const std::vector<Example>& examples, Tensor* vectors_out = nullptr) {
  const auto width = static_cast<std::int64_t>(examples[0].delta.size());
  Tensor vectors = torch::zeros({2 * static_cast<std::int64_t>(examples.size()), width});
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto row = static_cast<std::int64_t>(2 * i);
    // The sign of the difference alternates: the distance has none.
    const double sign = i % 2 == 0 ? 1 : -1;
    for (std::int64_t c = 0; c < width; ++c) {
      vectors[row][c] = 0.25;
      vectors[row + 1][c] = 0.25 + sign * examples[i].delta[static_cast<std::size_t>(c)];
    }
    pairs.push_back({row, row + 1, examples[i].match});
  }
  vectors.requires_grad_();
  if (vectors_out) *vectors_out = vectors;
  return matching_loss(vectors, pairs);
}

// The reference's test vector T1.
TEST(MatchingLoss, HasTheReferencesValuesAndGradients) {
  struct Row {
    double delta, match, other, match_gradient, other_gradient;
  };
  for (const Row& row : {Row{0.1, 0.744396660, 0.644396660, 0.524979187, -0.475020813},
                         Row{0.5, 0.974076984, 0.474076984, 0.622459331, -0.377540669},
                         Row{1, 1.313261688, 0.313261688, 0.731058579, -0.268941421},
                         Row{2, 2.126928011, 0.126928011, 0.880797078, -0.119202922},
                         Row{5, 5.006715348, 0.006715348, 0.993307149, -0.006692851},
                         Row{20, 20.000000002, 0.000000002, 1, 0}}) {
    for (const bool match : {true, false}) {
      Tensor vectors;
      const Tensor loss = loss_of({{{row.delta}, match}}, &vectors);
      EXPECT_NEAR(loss.item<double>(), match ? row.match : row.other, 2e-6) << row.delta;
      loss.backward();
      const double gradient = match ? row.match_gradient : row.other_gradient;
      EXPECT_NEAR(vectors.grad()[1][0].item<double>(), gradient, 1e-6) << row.delta;
      EXPECT_NEAR(vectors.grad()[0][0].item<double>(), -gradient, 1e-6) << row.delta;
    }
  }
  EXPECT_NEAR(loss_of({{{0}, true}}).item<double>(), 0.693147181, 1e-6);
  EXPECT_NEAR(loss_of({{{0}, false}}).item<double>(), 0.693147181, 1e-6);
}

// The reference's test vector T2.
TEST(MatchingLoss, IsTheMeanWithinALevelThenOverTheLevelsThatThereAre) {
  const Tensor level1 = loss_of({{{0, 1}, true}, {{2, 0.5}, false}});
  const Tensor level2 = loss_of({{{0.1, 0}, true}});
  const Tensor level3 = loss_of({{{0, 0}, true}, {{3, 1}, false}, {{0.5, 0.25}, false}});
  EXPECT_NEAR(level1.item<double>(), 0.651853466, 1e-6);
  EXPECT_NEAR(level2.item<double>(), 0.718771920, 1e-6);
  EXPECT_NEAR(level3.item<double>(), 0.466359967, 1e-6);
  EXPECT_NEAR(mean_over_levels({level1, level2, level3}).item<double>(), 0.612328451, 1e-6);
  EXPECT_NEAR(mean_over_levels({level1, Tensor(), level3}).item<double>(), 0.559106717, 1e-6);
  EXPECT_NEAR(mean_over_levels({Tensor(), level2, Tensor()}).item<double>(), 0.718771920, 1e-6);
  EXPECT_FALSE(mean_over_levels({}).defined());
}

TEST(MatchingLoss, ASharedQueryGathersTheGradientsOfItsPairs) {
  Tensor vectors = torch::tensor({{0.0f}, {1.0f}, {2.0f}});
  vectors.requires_grad_();
  matching_loss(vectors, {{0, 1, true}, {0, 2, false}}).backward();
  EXPECT_NEAR(vectors.grad()[0][0].item<double>(), (-0.731058579 + 0.119202922) / 2, 1e-6);
  EXPECT_NEAR(vectors.grad()[1][0].item<double>(), 0.731058579 / 2, 1e-6);
  EXPECT_NEAR(vectors.grad()[2][0].item<double>(), -0.119202922 / 2, 1e-6);
}

// Distances 1 and 2 of the first query's others, 3 of its match; the second query's match is alone.
TEST(RankingLoss, IsTheCrossEntropyOfTheMatchAmongItsQuerysPairs) {
  const Tensor vectors = torch::tensor({{0.0f, 0.0f}, {3.0f, 0.0f}, {1.0f, 0.0f}, {0.0f, 2.0f}});
  const std::vector<Pair> pairs = {{0, 1, true}, {0, 2, false}, {1, 1, true}, {0, 3, false}};
  const double first = std::log(std::exp(-3) + std::exp(-1) + std::exp(-2)) + 3;
  EXPECT_NEAR(ranking_loss(vectors, pairs).item<double>(), first / 2, 1e-5);
  EXPECT_NEAR(uninformed_ranking_loss(pairs), std::log(3.0) / 2, 1e-9);
}

TEST(RankingLoss, SeveralMatchesAreNotRankedAgainstEachOther) {
  const Tensor vectors = torch::tensor({{0.0f}, {1.0f}, {2.0f}, {1.5f}});
  const std::vector<Pair> both = {{0, 1, true}, {0, 2, true}, {0, 3, false}};
  const double one = ranking_loss(vectors, {{0, 1, true}, {0, 3, false}}).item<double>();
  const double other = ranking_loss(vectors, {{0, 2, true}, {0, 3, false}}).item<double>();
  EXPECT_NEAR(ranking_loss(vectors, both).item<double>(), (one + other) / 2, 1e-6);
}

TEST(RankingLoss, PullsTheMatchNearerAndIsFiniteWhereNothingDiffers) {
  Tensor vectors = torch::tensor({{0.0f}, {2.0f}, {1.0f}});
  vectors.requires_grad_();
  ranking_loss(vectors, {{0, 1, true}, {0, 2, false}}).backward();
  EXPECT_GT(vectors.grad()[1][0].item<double>(), 0);
  EXPECT_LT(vectors.grad()[2][0].item<double>(), 0);
  Tensor same = torch::zeros({3, 2});
  same.requires_grad_();
  ranking_loss(same, {{0, 1, true}, {0, 2, false}}).backward();
  EXPECT_TRUE(same.grad().isfinite().all().item<bool>());
}

TEST(UninformedLoss, IsTheLeastThatCanBeHadWithoutLooking) {
  EXPECT_NEAR(uninformed_loss(1, 1), 0.693147, 1e-6);
  EXPECT_NEAR(uninformed_loss(3, 0), 0.693147, 1e-6);
  EXPECT_NEAR(uninformed_loss(2, 1), 0.693147, 1e-6);
  EXPECT_NEAR(uninformed_loss(1, 2), 0.636514, 1e-6);
  EXPECT_NEAR(uninformed_loss(1, 3), 0.562335, 1e-6);
  EXPECT_EQ(uninformed_loss(0, 5), 0);
  // No difference that is the same for all pairs does better.
  for (const auto& [matches, others] : {std::pair{1, 1}, {1, 2}, {1, 3}, {4, 1}}) {
    double least = 1e9;
    for (double delta = 0; delta < 8; delta += 1e-3) {
      const double match = std::log1p(std::exp(delta));
      least = std::min(least, (matches * match + others * (match - delta)) / (matches + others));
    }
    EXPECT_NEAR(uninformed_loss(matches, others), least, 1e-6);
  }
}

}  // namespace
}  // namespace memmatch::train
