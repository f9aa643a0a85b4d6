#include "audit/confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support.h"

namespace memmatch::audit {
namespace {

// Outcomes that follow a law: right with the probability that two of the inputs give, and for
// "unverifiable" with the opposite of what the evidence's distance says.
std::vector<Outcome> lawful_outcomes(std::size_t count) {
  std::mt19937_64 random(7);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < count; ++i) {
    Outcome outcome;
    outcome.distances = {20 * uniform(), 20 * uniform(), 5 * uniform(), 5 * uniform()};
    outcome.label = static_cast<Label>(i % 3);
    const double sign = outcome.label == Label::unverifiable ? 1 : -1;
    const double score = 1 + sign * 1.5 * (std::log1p(outcome.distances.level2) - 2) +
                         2 * (std::log1p(outcome.distances.margin) - 1);
    outcome.right = uniform() < 1 / (1 + std::exp(-score));
    outcomes.push_back(outcome);
  }
  return outcomes;
}

double true_share(std::span<const Outcome> outcomes, const Confidence& confidence, double from,
                  double to) {
  double right = 0;
  double count = 0;
  for (const Outcome& outcome : outcomes) {
    const double p = confidence.of(outcome.distances, outcome.label);
    if (p < from || p >= to) continue;
    right += outcome.right;
    ++count;
  }
  return right / count;
}

TEST(ConfidenceTest, SaysHowOftenALabelIsRight) {
  const std::vector<Outcome> outcomes = lawful_outcomes(6000);
  const Confidence confidence = fit_confidence(std::span(outcomes).first(3000));
  const auto held_out = std::span(outcomes).subspan(3000);
  for (const double from : {0.3, 0.5, 0.7, 0.9})
    EXPECT_NEAR(true_share(held_out, confidence, from, from + 0.1), from + 0.05, 0.06) << from;
}

TEST(ConfidenceTest, FarEvidenceMeansTheOppositeForUnverifiable) {
  const Confidence confidence = fit_confidence(lawful_outcomes(3000));
  const LevelDistances near{5, 0.5, 1, 1};
  const LevelDistances far{5, 18, 1, 1};
  EXPECT_GT(confidence.of(near, Label::supports), confidence.of(far, Label::supports) + 0.2);
  EXPECT_LT(confidence.of(near, Label::unverifiable),
            confidence.of(far, Label::unverifiable) - 0.2);
}

// The same margin says little where the evidence was given, and much where it was found.
TEST(ConfidenceTest, EachTaskHasAScaleOfItsOwn) {
  std::vector<Outcome> outcomes = lawful_outcomes(3000);
  for (Outcome outcome : lawful_outcomes(3000)) {
    outcome.distances.task = Task::given;
    outcome.distances.margin *= 10;
    outcomes.push_back(outcome);
  }
  const Confidence confidence = fit_confidence(outcomes);
  const auto of = [&](double margin, Task task) {
    return confidence.of({5, 5, 1, margin, task}, Label::supports);
  };
  EXPECT_GT(of(3, Task::found), of(3, Task::given) + 0.2);
  EXPECT_NEAR(of(3, Task::found), of(30, Task::given), 0.1);
}

TEST(ConfidenceTest, TheFitIsStationary) {
  // At the minimum of log loss with a ridge that leaves the constant (almost) free, confidences sum
  // to the number of right labels.
  const std::vector<Outcome> outcomes = lawful_outcomes(1000);
  const Confidence confidence = fit_confidence(outcomes);
  double expected = 0;
  double right = 0;
  for (const Outcome& outcome : outcomes) {
    expected += confidence.of(outcome.distances, outcome.label);
    right += outcome.right;
  }
  EXPECT_NEAR(expected, right, 0.05);
}

TEST(ConfidenceTest, TheSameOutcomesGiveTheSameNumbers) {
  const std::vector<Outcome> outcomes = lawful_outcomes(500);
  const Confidence first = fit_confidence(outcomes);
  const Confidence second = fit_confidence(outcomes);
  EXPECT_EQ(first.shared, second.shared);
  EXPECT_EQ(first.of_label, second.of_label);
  EXPECT_EQ(first.of_task, second.of_task);
  EXPECT_EQ(first.brier, second.brier);
}

TEST(ConfidenceTest, StaysFiniteWhereAllAreRightOrAnInputNeverChanges) {
  std::vector<Outcome> outcomes = lawful_outcomes(100);
  for (Outcome& outcome : outcomes) {
    outcome.right = true;
    outcome.distances.level1 = 3;
    outcome.label = Label::supports;
  }
  const Confidence confidence = fit_confidence(outcomes);
  for (const Outcome& outcome : outcomes) {
    const double p = confidence.of(outcome.distances, outcome.label);
    EXPECT_TRUE(p > 0.9 && p <= 1) << p;
  }
}

TEST(ConfidenceTest, AHandfulIsTooLittle) {
  EXPECT_EQ(test::error_of([] { fit_confidence(lawful_outcomes(19)); }).kind(),
            ErrorKind::invalid_argument);
}

TEST(LevelDistancesTest, MarginIsToTheSecondNearestLabel) {
  Verdict verdict;
  EXPECT_FALSE(level_distances(verdict).has_value());
  verdict.evidence.resize(2);
  verdict.evidence[0].level1_distance = 9;
  verdict.evidence[0].level2_distance = 4;
  verdict.label = Label::refutes;
  verdict.label_distances = {5, 1, 3};
  const LevelDistances distances = level_distances(verdict).value();
  EXPECT_EQ(distances.level1, 9);
  EXPECT_EQ(distances.level2, 4);
  EXPECT_EQ(distances.level3, 1);
  EXPECT_EQ(distances.margin, 2);
  EXPECT_EQ(distances.task, Task::found);
  verdict.label_distances[2] = std::nullopt;
  EXPECT_EQ(level_distances(verdict)->margin, 4);
  EXPECT_EQ(level_distances(verdict)->task, Task::found);
  verdict.origin = CandidateOrigin::given;
  EXPECT_EQ(level_distances(verdict)->task, Task::given_two_labels);
  verdict.label_distances[2] = 3;
  EXPECT_EQ(level_distances(verdict)->task, Task::given);
}

}  // namespace
}  // namespace memmatch::audit
