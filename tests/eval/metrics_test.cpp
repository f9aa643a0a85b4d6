#include "eval/metrics.h"

#include <gtest/gtest.h>

#include "eval_support.h"

namespace memmatch::eval {
namespace {

using test::claim;
using test::error_of;
using test::Kept;
using test::TemporaryFolder;
using test::verdict;

constexpr Label S = Label::supports;
constexpr Label R = Label::refutes;
constexpr Label U = Label::unverifiable;

class MetricsTest : public testing::Test {
 protected:
  MetricsTest() : store_(test::small_store(folder_ / "s.db")), metrics_(store_) {}

  void add(const data::Claim& claim, const Verdict& verdict) {
    metrics_.add(claim, verdict, store_.cover(claim.text));
  }

  TemporaryFolder folder_;
  Datastore store_;
  Metrics metrics_;
};

// Distances belong to what the model decided, also where exemplars have changed the label.
TEST_F(MetricsTest, DistancesAreCountedByTheModelsOwnLabel) {
  Verdict changed = verdict(store_, S, {{"Moon", 0, 1}}, {{"Moon", 0, 4}}, 7);
  changed.exemplars.emplace();
  changed.exemplars->model_label = S;
  changed.label = R;
  add(claim("The Moon is a star.", R, {{{"Moon", 0}}}), changed);
  EXPECT_EQ(metrics_.figures().right(), 1u);
  EXPECT_EQ(metrics_.figures().level3_right.count(), 0u);
  EXPECT_EQ(metrics_.figures().level3_wrong.count(), 1u);
  EXPECT_EQ(metrics_.figures().level3_wrong.mean(), 7.0);
}

// Every figure of this example was computed by hand. The store: Moon 0 and 2, Earth 0, Sun 0 and 1.
TEST_F(MetricsTest, FiveClaims) {
  const Kept m0{"Moon", 0, 1}, m2{"Moon", 2, 2}, e0{"Earth", 0, 3};
  // Right, with the chosen sentence on top.
  add(claim("The Moon is round.", S, {{{"Moon", 2}}}),
      verdict(store_, S, {m0, m2}, {{"Moon", 2, 0.5}, {"Moon", 0, 4}}, 1));
  // Right label, but only half of the set was found at level 2; level 1 had it all.
  add(claim("The Moon orbits the Earth.", R, {{{"Moon", 0}, {"Earth", 0}}}),
      verdict(store_, R, {m2, m0, e0}, {{"Earth", 0, 2}, {"Moon", 2, 3}}, 3));
  // Wrong label in spite of complete evidence, which is not on top.
  add(claim("The Earth is a moon.", R, {{{"Earth", 0}}}),
      verdict(store_, S, {m0, e0}, {{"Moon", 0, 4}, {"Earth", 0, 5}}, 5));
  // Out of the cover's reach.
  add(claim("Luna is round.", S, {{{"Moon", 2}}}), verdict(store_, U, {}, {}));
  // Unverifiable, and so judged.
  add(claim("The Moon is cheese.", U), verdict(store_, U, {m0}, {{"Moon", 0, 9}}, 2));

  const Figures& figures = metrics_.figures();
  EXPECT_EQ(figures.claims, 5u);
  EXPECT_EQ(figures.right(), 3u);
  using Row = std::array<std::uint64_t, 3>;
  EXPECT_EQ(figures.confusion, (std::array<Row, 3>{Row{1, 0, 1}, Row{1, 1, 0}, Row{0, 0, 1}}));
  EXPECT_EQ(gold_count(figures.confusion, R), 2u);
  EXPECT_EQ(claim_count(figures.confusion), figures.claims);
  EXPECT_DOUBLE_EQ(figures.fever.score().fever_score, 2.0 / 5);
  EXPECT_DOUBLE_EQ(figures.fever.score().recall, 2.0 / 4);

  EXPECT_EQ(figures.with_gold, 4u);
  EXPECT_EQ(figures.within_cover, 3u);
  EXPECT_EQ(figures.level1.claims, 4u);
  EXPECT_EQ(figures.level1.strict, 0u);
  EXPECT_EQ(figures.level1.any_chosen, 3u);
  EXPECT_EQ(figures.level1.top_document, 2u);
  EXPECT_EQ(figures.level1.complete, 3u);
  EXPECT_EQ(figures.level1.complete_at, (std::array<std::uint64_t, 6>{0, 3, 3, 3, 3, 3}));
  EXPECT_DOUBLE_EQ(figures.level1.reciprocal_ranks, 0.5 + 0.5 + 0.5);
  EXPECT_EQ(figures.level2.strict, 1u);
  EXPECT_EQ(figures.level2.top_document, 2u);
  EXPECT_EQ(figures.level2.complete, 2u);
  EXPECT_EQ(figures.level2.complete_at[0], 1u);
  EXPECT_DOUBLE_EQ(figures.level2.reciprocal_ranks, 1 + 1 + 0.5);

  EXPECT_DOUBLE_EQ(figures.level2_strict.mean(), 0.5);
  EXPECT_DOUBLE_EQ(figures.level2_other.mean(), 3);
  EXPECT_DOUBLE_EQ(figures.level2_other.deviation(), 1);
  EXPECT_DOUBLE_EQ(figures.level2_unverifiable.mean(), 9);
  EXPECT_EQ(figures.level2_all.count(), 4u);
  EXPECT_DOUBLE_EQ(figures.level3_right.mean(), 2);
  EXPECT_EQ(figures.level3_right.count(), 3u);
  EXPECT_DOUBLE_EQ(figures.level3_wrong.mean(), 5);
  EXPECT_EQ(figures.oracle_right, 3u);
  EXPECT_EQ(figures.oracle_strict, 3u);
  EXPECT_EQ(figures.without_candidates, 1u);
}

TEST_F(MetricsTest, TheOracleOfTheFeverScoreSeesFiveSentences) {
  const std::vector<Kept> six{{"Moon", 0, 1},  {"Moon", 1, 2},       {"Moon", 2, 3},
                              {"Earth", 0, 4}, {"Sun (star)", 0, 5}, {"Sun (star)", 1, 6}};
  add(claim("The Sun is hot.", S, {{{"Sun (star)", 1}}}), verdict(store_, S, six, six));
  EXPECT_EQ(metrics_.figures().oracle_right, 1u);
  EXPECT_EQ(metrics_.figures().oracle_strict, 0u);
  EXPECT_EQ(metrics_.figures().fever.score().fever_score, 0);
}

TEST_F(MetricsTest, WithoutBeamsLevelOneIsNotCounted) {
  Verdict bare = verdict(store_, S, {}, {{"Moon", 2, 1}});
  bare.beams.reset();
  add(claim("The Moon is round.", S, {{{"Moon", 2}}}), bare);
  EXPECT_EQ(metrics_.figures().level1.claims, 0u);
  EXPECT_EQ(metrics_.figures().level2.strict, 1u);
}

TEST_F(MetricsTest, TheChosenSetDependsOnWhatTheCoverReaches) {
  // Only the second set is of a page that the claim names.
  const std::vector<data::EvidenceSet> sets{{{"Earth", 0}}, {{"Moon", 2}}};
  add(claim("The Moon is round.", S, sets), verdict(store_, S, {}, {{"Moon", 2, 1}}));
  EXPECT_EQ(metrics_.figures().level2.strict, 1u);
  add(claim("The Moon is round.", S, sets), verdict(store_, S, {}, {{"Earth", 0, 1}}));
  EXPECT_EQ(metrics_.figures().level2.strict, 1u);
  EXPECT_EQ(metrics_.figures().level2.complete, 2u);
}

TEST_F(MetricsTest, GoldEvidenceThatTheStoreLacksIsNeverFound) {
  add(claim("The Moon is round.", S, {{{"Nowhere", 2}}, {{"Moon", 0}, {"Moon", 77}}}),
      verdict(store_, S, {}, {{"Moon", 0, 1}, {"Moon", 2, 2}}));
  const Figures& figures = metrics_.figures();
  EXPECT_EQ(figures.with_gold, 1u);
  EXPECT_EQ(figures.within_cover, 0u);
  EXPECT_EQ(figures.level2.complete, 0u);
  EXPECT_EQ(figures.level2.top_document, 1u);
  EXPECT_EQ(figures.oracle_right, 0u);
}

TEST_F(MetricsTest, UnlabelledClaimsAreRefused) {
  data::Claim unknown = claim("The Moon.", S);
  unknown.label.reset();
  EXPECT_EQ(error_of([&] { add(unknown, verdict(store_, S, {}, {})); }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(metrics_.figures().claims, 0u);
}

}  // namespace
}  // namespace memmatch::eval
