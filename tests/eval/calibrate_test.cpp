#include "eval/calibrate.h"

#include <gtest/gtest.h>

#include "eval/eval_support.h"
#include "eval/labelled_claims.h"

namespace memmatch::eval {
namespace {

using test::error_of;
using test::TemporaryFolder;

class CalibrateTest : public testing::Test {
 protected:
  void SetUp() override {
    test::import_all(store_, {{"Moon", "Moon", {{0, "It is round."}, {1, "It is cold."}}}});
  }

  std::string write(const char* name, int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) {
      text += R"({"id": )" + std::to_string(i) +
              R"(, "claim": "The Moon is round.", "label": "SUPPORTS",)"
              R"( "evidence": [[[0, 0, "Moon", 0]]]})"
              "\n";
    }
    return folder_.write(name, text);
  }

  // Verdicts by the claim's number: even ones find the right sentence, multiples of three have the
  // right label.
  std::vector<Verdict> search(std::span<const data::Claim> claims) {
    std::vector<Verdict> verdicts;
    for (const data::Claim& claim : claims) {
      const int i = std::stoi(claim.id);
      ids_.push_back(i);
      const std::vector<test::Kept> kept = {{"Moon", i % 2, static_cast<double>(i)}};
      verdicts.push_back(test::verdict(store_, i % 3 == 0 ? Label::supports : Label::refutes, kept,
                                       kept, 100.0 + i));
    }
    return verdicts;
  }

  MeasuredClaims measured(const std::string& file, std::uint64_t sample = 0) {
    return measure(file, store_,
                   [&](std::span<const data::Claim> claims) { return search(claims); },
                   {.batch = 4, .sample = sample, .progress = {}});
  }

  TemporaryFolder folder_;
  Datastore store_ = Datastore::open(folder_ / "s.db", Datastore::Access::create);
  std::vector<int> ids_;
};

TEST_F(CalibrateTest, MeansAreOfRightRetrievalsAndRightDecisions) {
  const MeasuredClaims train = measured(write("train.jsonl", 10));
  EXPECT_EQ(train.level2, (std::vector<double>{0, 2, 4, 6, 8}));
  EXPECT_EQ(train.level3, (std::vector<double>{100, 103, 106, 109}));
  EXPECT_EQ(train.outcomes.size(), 10u);
  const audit::Calibration calibration = calibrate(train, {});
  EXPECT_EQ(calibration.level2.mean, 4);
  EXPECT_EQ(calibration.level3.mean, 104.5);
  EXPECT_EQ(calibration.train.file, "train.jsonl");
  EXPECT_FALSE(calibration.confidence.has_value());
}

TEST_F(CalibrateTest, ASampleIsSpreadOverTheFile) {
  const MeasuredClaims train = measured(write("train.jsonl", 100), 7);
  EXPECT_EQ(train.source.used, 7u);
  EXPECT_EQ(train.source.total, 100u);
  ASSERT_EQ(ids_.size(), 7u);
  for (std::size_t i = 0; i < ids_.size(); ++i)
    EXPECT_NEAR(ids_[i], static_cast<double>(i) * 100 / 7, 1) << i;
}

TEST_F(CalibrateTest, TheConfidenceIsFittedOnOtherClaims) {
  const MeasuredClaims train = measured(write("train.jsonl", 30));
  const MeasuredClaims dev = measured(write("dev.jsonl", 40));
  const audit::Calibration calibration = calibrate(train, {&dev, 1});
  EXPECT_EQ(calibration.confidence->claims, 40u);
  ASSERT_EQ(calibration.fitted_on.size(), 1u);
  EXPECT_EQ(calibration.fitted_on[0].file, "dev.jsonl");
  // The fixture's labels are right exactly where they are "supports".
  const audit::LevelDistances distances{0, 1, 100, 1};
  EXPECT_GT(calibration.confidence->of(distances, Label::supports), 0.7);
  EXPECT_LT(calibration.confidence->of(distances, Label::refutes), 0.3);
  EXPECT_EQ(error_of([&] { calibrate(train, {&train, 1}); }).kind(), ErrorKind::invalid_argument);
}

TEST_F(CalibrateTest, EachSourceCountsTheSameHoweverMuchItHas) {
  const MeasuredClaims train = measured(write("train.jsonl", 30));
  // The same distances everywhere: right in the one source, wrong in the other.
  const audit::LevelDistances distances{1, 1, 1, 1};
  std::array<MeasuredClaims, 2> others;
  others[0].source.hash = "a";
  others[0].outcomes.assign(300, {distances, Label::supports, true});
  others[1].source.hash = "b";
  others[1].outcomes.assign(30, {distances, Label::supports, false});
  const audit::Calibration calibration = calibrate(train, others);
  EXPECT_EQ(calibration.fitted_on.size(), 2u);
  EXPECT_EQ(calibration.confidence->claims, 330u);
  EXPECT_NEAR(calibration.confidence->of(distances, Label::supports), 0.5, 0.01);
  EXPECT_NEAR(calibration.confidence->brier, 0.25, 0.01);
}

TEST_F(CalibrateTest, PairsGiveOutcomesToo) {
  const std::string file =
      folder_.write("pairs.jsonl", R"({"claim": "A", "evidence": "It is so.", "label": "SUPPORTS"})"
                                   "\n"
                                   R"({"claim": "B", "evidence": "It is so.", "label": "REFUTES"})"
                                   "\n");
  const auto supports = [&](std::span<const data::Pair> pairs) {
    const std::vector<test::Kept> kept = {{"Moon", 0, 2.0}};
    return std::vector<Verdict>(pairs.size(),
                                test::verdict(store_, Label::supports, kept, kept, 7.0));
  };
  const MeasuredClaims some = measure_pairs(file, supports, {});
  EXPECT_EQ(some.source.used, 2u);
  EXPECT_EQ(some.source.total, 2u);
  EXPECT_EQ(some.level3, std::vector<double>{7.0});
  ASSERT_EQ(some.outcomes.size(), 2u);
  EXPECT_TRUE(some.outcomes[0].right);
  EXPECT_FALSE(some.outcomes[1].right);
}

TEST_F(CalibrateTest, NothingRightIsNothingToCalibrateWith) {
  MeasuredClaims train = measured(write("train.jsonl", 10));
  train.level2.clear();
  EXPECT_EQ(error_of([&] { calibrate(train, {}); }).kind(), ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace memmatch::eval
