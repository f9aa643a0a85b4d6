#include "eval/trust.h"

#include <gtest/gtest.h>

#include "eval/eval_support.h"

namespace memmatch::eval {
namespace {

Verdict verdict(double level2, double level3, Label label) {
  Verdict verdict;
  verdict.label = label;
  verdict.label_distances.fill(level3 + 1);
  verdict.label_distances[static_cast<std::size_t>(label)] = level3;
  verdict.evidence.resize(1);
  verdict.evidence[0].level2_distance = level2;
  verdict.evidence[0].text = "d2 " + std::to_string(level2);
  return verdict;
}

audit::Calibration with_means(double level2, double level3) {
  audit::Calibration calibration;
  calibration.level2 = audit::statistics_of({level2});
  calibration.level3 = audit::statistics_of({level3});
  return calibration;
}

constexpr Label kS = Label::supports;
constexpr Label kR = Label::refutes;

// The arithmetic of the paper's sym_gen rows (reference §11): of 239 unchanged and 478 changed
// claims, 195 and 241 are right; of these 139 and 204 are admitted, of which 125 and 135 are right.
TEST(TrustTest, ThePapersSymmetricTable) {
  Trust trust(with_means(1, 1), {}, 0);
  const auto add = [&](int count, bool changed, bool near, bool right) {
    for (int i = 0; i < count; ++i)
      trust.add(test::claim("c", kS), verdict(near ? 0.5 : 9, 0.5, right ? kS : kR), changed);
  };
  add(125, false, true, true);
  add(139 - 125, false, true, false);
  add(195 - 125, false, false, true);
  add(239 - 195 - (139 - 125), false, false, false);
  add(135, true, true, true);
  add(204 - 135, true, true, false);
  add(241 - 135, true, false, true);
  add(478 - 241 - (204 - 135), true, false, false);
  const ReportJson modes = trust.to_json()["modes"];
  EXPECT_EQ(modes[0]["claims"], 717);
  EXPECT_NEAR(modes[0]["accuracy"].get<double>(), 100.0 * 436 / 717, 1e-9);
  EXPECT_NEAR(modes[0]["changed"]["accuracy"].get<double>(), 100.0 * 241 / 478, 1e-9);
  EXPECT_EQ(modes[1]["name"], "+dist");
  EXPECT_EQ(modes[1]["claims"], 343);
  EXPECT_NEAR(modes[1]["accuracy"].get<double>(), 100.0 * 260 / 343, 1e-9);
  EXPECT_EQ(modes[1]["unchanged"]["claims"], 139);
  EXPECT_EQ(modes[2]["name"], "+dist+exchange");
  EXPECT_EQ(modes[2]["claims"], 717);
  EXPECT_NEAR(modes[2]["accuracy"].get<double>(), 100.0 * 498 / 717, 1e-9);
}

TEST(TrustTest, CurvesOrderByMarginAndByDistance) {
  Trust trust(std::nullopt, {}, 2);
  Verdict sure = verdict(1, 3, kS);
  sure.label_distances[1] = sure.label_distances[2] = 50;
  trust.add(test::claim("sure and right", kS), sure, false);
  trust.add(test::claim("near and wrong", kR), verdict(2, 0.1, kS), false);
  const ReportJson json = trust.to_json();
  EXPECT_FALSE(json.contains("calibration"));
  EXPECT_EQ(json["modes"].size(), 1u);
  const ReportJson& curves = json["risk_coverage"];
  EXPECT_FALSE(curves.contains("confidence"));
  EXPECT_DOUBLE_EQ(curves["margin"]["area"].get<double>(), 25);
  EXPECT_DOUBLE_EQ(curves["level3"]["area"].get<double>(), 75);
  EXPECT_DOUBLE_EQ(curves["least_area"].get<double>(), 25);
  EXPECT_DOUBLE_EQ(curves["margin"]["accuracy_at"]["50"].get<double>(), 100);
  EXPECT_NE(trust.to_markdown().find("| label margin alone | 25.00 % |"), std::string::npos)
      << trust.to_markdown();
}

TEST(TrustTest, ExamplesAreTheNearestAndTheFarthestEvidence) {
  Trust trust(std::nullopt, {}, 2);
  for (const double level2 : {5.0, 1.0, 9.0, 3.0, 7.0})
    trust.add(test::claim("c", kS), verdict(level2, 1, kR), false);
  trust.add(test::claim("none", kS), Verdict(), false);
  const ReportJson examples = trust.to_json()["examples"];
  ASSERT_EQ(examples["nearest"].size(), 2u);
  EXPECT_EQ(examples["nearest"][0]["level2_distance"], 1);
  EXPECT_EQ(examples["nearest"][1]["level2_distance"], 3);
  EXPECT_EQ(examples["farthest"][0]["level2_distance"], 9);
  EXPECT_EQ(examples["farthest"][0]["label"], "REFUTES");
  EXPECT_EQ(examples["farthest"][0]["gold"], "SUPPORTS");
  EXPECT_EQ(examples["farthest"][0]["evidence"].size(), 1u);
}

TEST(TrustTest, ReliabilityAndAFlatteringFitAreSaid) {
  audit::Calibration calibration = with_means(1, 1);
  calibration.dev = {"dev.jsonl", "abc", 1, 1};
  calibration.confidence.emplace();
  calibration.confidence->deviation.fill(1);  // one half for everybody
  Trust trust(calibration, {audit::parse_rule("confidence:0.6")}, 0);
  trust.note_claims("abc");
  trust.add(test::claim("c", kS), verdict(1, 1, kS), false);
  trust.add(test::claim("c", kS), verdict(1, 1, kR), false);
  const ReportJson json = trust.to_json();
  EXPECT_EQ(json["reliability"]["brier"], 0.25);
  ASSERT_EQ(json["reliability"]["bins"].size(), 1u);
  EXPECT_EQ(json["reliability"]["bins"][0]["confidence"], 50.0);
  EXPECT_EQ(json["reliability"]["bins"][0]["accuracy"], 50.0);
  EXPECT_EQ(json["modes"][3]["name"], "confidence:0.6");
  EXPECT_EQ(json["modes"][3]["claims"], 0);
  EXPECT_NE(trust.to_markdown().find("flattering"), std::string::npos);
}

}  // namespace
}  // namespace memmatch::eval
