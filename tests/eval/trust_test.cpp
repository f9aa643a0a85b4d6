#include "eval/trust.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json.h"
#include "data/claims.h"
#include "eval/eval_support.h"
#include "support.h"

namespace memmatch::eval {
namespace {

Verdict verdict(double level2, double level3, Label label, bool changed = false) {
  Verdict verdict;
  verdict.label = label;
  verdict.label_distances.fill(level3 + 1);
  verdict.label_distances[static_cast<std::size_t>(label)] = level3;
  verdict.evidence.resize(1);
  verdict.evidence[0].level2_distance = level2;
  verdict.evidence[0].edited = changed;
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

// As if exemplars had audited it: the nearest at `distance`, and where `update` is given, its label
// by ExA_update.
Verdict audited(Verdict verdict, bool true_positive, double distance,
                std::optional<Label> update = {}) {
  ExemplarAudit& audit = verdict.exemplars.emplace();
  audit.model_label = verdict.label;
  audit.true_positive = true_positive;
  audit.nearest.resize(1);
  audit.nearest[0].distance = distance;
  if (!update) return verdict;
  audit.update.resize(1);
  audit.update[0].exemplar.gold = verdict.label = *update;
  return verdict;
}

ReportJson mode(const Trust& trust, const std::string& name) {
  const ReportJson json = trust.to_json();
  for (const ReportJson& one : json["modes"]) {
    if (one["name"] == name) return one;
  }
  throw std::out_of_range(name);
}

// The arithmetic of the paper's sym_gen rows (reference §11): of 239 unchanged and 478 changed
// claims, 195 and 241 are right; of these 139 and 204 are admitted, of which 125 and 135 are right.
TEST(TrustTest, ThePapersSymmetricTable) {
  Trust trust({.calibration = with_means(1, 1)});
  const auto add = [&](int count, bool changed, bool near, bool right) {
    for (int i = 0; i < count; ++i)
      trust.add(test::claim("c", kS), verdict(near ? 0.5 : 9, 0.5, right ? kS : kR, changed));
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
  EXPECT_NEAR(modes[2]["accuracy"].get<double>(), 100.0 * 498 / 717, 1e-9);  // 436 - 106 + 168
  const std::string text = trust.to_markdown();
  EXPECT_NE(text.find("| base | 717 (100.0 %) | 60.81 % | 81.59 % of 239 | 50.42 % of 478 |"),
            std::string::npos)
      << text;
}

// sym_test.v2: 504 of 712 right, of the 356 changed 187; the exemplars get 239 of these right.
TEST(TrustTest, ThePapersExAUpdateFollowsFromItsCounts) {
  Trust trust({.exemplars = ExemplarOptions{.update_tag = "sym"}});
  const auto add = [&](int count, bool changed, bool right, std::optional<Label> update) {
    for (int i = 0; i < count; ++i)
      trust.add(test::claim("c", kS),
                audited(verdict(1, 1, right ? kS : kR, changed), false, 1, update));
  };
  add(504 - 187, false, true, {});
  add(356 - (504 - 187), false, false, {});
  add(187, true, true, kS);  // the exemplar agrees with gold
  add(239 - 187, true, false, kS);
  add(356 - 239, true, false, kR);
  EXPECT_EQ(mode(trust, "base")["right"], 504);         // as the model decided
  EXPECT_EQ(mode(trust, "+ExA_update")["right"], 556);  // 504 - 187 + 239
  EXPECT_EQ(mode(trust, "+ExA_tp")["claims"], 0);
  const std::string text = trust.to_markdown();
  EXPECT_NE(
      text.find("| +ExA_update | 712 (100.0 %) | 78.09 % | 89.04 % of 356 | 67.13 % of 356 |"),
      std::string::npos)
      << text;
}

// Decisions of a small random model on random claims and evidence, audited by as random exemplars,
// as they were recorded.
int add_recorded_run(Trust& trust) {
  int rows = 0;
  LineReader lines(test::fixture("audited_run.jsonl"));
  JsonParser parser;
  for (std::string text; lines.next(text); ++rows) {
    const JsonObject row = parser.parse_object(text, lines.where());
    const auto label = [&](const char* field) {
      return data::parse_label(row.string(field)).value();
    };
    std::optional<Label> update;
    if (row.has("update")) update = label("update");
    trust.add(test::claim("c", label("gold")),
              audited(verdict(row.number("level2"), row.number("level3"), label("label"),
                              row.optional_bool("changed").value()),
                      row.optional_bool("true_positive").value(), row.number("exemplar"), update));
  }
  return rows;
}

// The arithmetic that holds between the paper's numbers holds between ours.
TEST(TrustTest, TheModesOfARecordedRunAgreeWithEachOther) {
  Trust trust(
      {.calibration = with_means(1.2, 1.1), .exemplars = ExemplarOptions{.update_tag = "sym"}});
  const int rows = add_recorded_run(trust);
  ASSERT_GT(rows, 30);
  const auto number = [](const ReportJson& share, const char* field) {
    return share[field].get<std::int64_t>();
  };
  const ReportJson json = trust.to_json();
  ASSERT_EQ(json["modes"].size(), 5u);
  for (const ReportJson& one : json["modes"]) {
    for (const char* field : {"claims", "right"})
      EXPECT_EQ(number(one, field), number(one["changed"], field) + number(one["unchanged"], field))
          << one["name"];
  }
  const ReportJson base = mode(trust, "base");
  const ReportJson dist = mode(trust, "+dist");
  EXPECT_EQ(base["claims"], rows);
  EXPECT_GT(number(dist, "claims"), 0);
  EXPECT_LT(number(dist, "claims"), rows);
  // Changed and not admitted: what was right turns wrong, what was wrong turns right.
  const auto right_before = number(base["changed"], "right") - number(dist["changed"], "right");
  const auto flipped = number(base["changed"], "claims") - number(dist["changed"], "claims");
  EXPECT_GT(flipped, 0);
  const ReportJson exchange = mode(trust, "+dist+exchange");
  EXPECT_EQ(number(exchange, "right"),
            number(base, "right") - right_before + (flipped - right_before));
  EXPECT_EQ(exchange["unchanged"]["right"], base["unchanged"]["right"]);
  const ReportJson update = mode(trust, "+ExA_update");
  EXPECT_EQ(number(update, "right"), number(base, "right") - number(base["changed"], "right") +
                                         number(update["changed"], "right"));
  const ReportJson tp = mode(trust, "+ExA_tp");
  EXPECT_GT(number(tp, "claims"), 0);
  const auto curve = trust.exemplar_curve(1000);
  EXPECT_EQ(curve.back().count, static_cast<std::size_t>(number(tp, "claims")));
  EXPECT_DOUBLE_EQ(100 * curve.back().accuracy, tp["accuracy"].get<double>());
  EXPECT_EQ(json["cut_off"]["exemplar"].back()[1], tp["claims"]);
}

TEST(TrustTest, ModesAreLeftOutWhereThereIsNothingToTellThemBy) {
  const auto modes = [](TrustOptions options) {
    return Trust(std::move(options)).to_json()["modes"].size();
  };
  EXPECT_EQ(modes({}), 1u);
  EXPECT_EQ(modes({.exemplars = ExemplarOptions()}), 2u);
  EXPECT_EQ(modes({.calibration = with_means(1, 1)}), 3u);
}

TEST(TrustTest, TheExemplarCurveRunsFromNearToFarWithOnePointADistance) {
  Trust trust({.exemplars = ExemplarOptions()});
  const double distances[] = {0.5, 0.1, 0.5, 0.2, 0.3};
  for (int i = 0; i < 5; ++i) {
    trust.add(test::claim("c", i == 0 ? kR : kS), audited(verdict(1, 1, kS), i != 3, distances[i]));
  }
  EXPECT_EQ(to_tsv(trust.exemplar_curve(10)),
            "distance\tclaims\taccuracy\n0.1\t1\t100.0000\n0.3\t2\t100.0000\n0.5\t4\t75.0000\n");
}

TEST(TrustTest, CurvesOrderByMarginAndByDistance) {
  Trust trust({.examples = 2});
  Verdict sure = verdict(1, 3, kS);
  sure.label_distances[1] = sure.label_distances[2] = 50;
  trust.add(test::claim("sure and right", kS), sure);
  trust.add(test::claim("near and wrong", kR), verdict(2, 0.1, kS));
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
  Trust trust({.examples = 2});
  for (const double level2 : {5.0, 1.0, 9.0, 3.0, 7.0})
    trust.add(test::claim("c", kS), verdict(level2, 1, kR));
  trust.add(test::claim("none", kS), Verdict());
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
  calibration.fitted_on = {{"dev.jsonl", "abc", 1, 1}};
  calibration.confidence.emplace();
  calibration.confidence->deviation.fill(1);  // one half for everybody
  Trust trust({.calibration = calibration,
               .rules = {audit::parse_rule("confidence:0.6")},
               .claims_hash = "abc"});
  trust.add(test::claim("c", kS), verdict(1, 1, kS));
  trust.add(test::claim("c", kS), verdict(1, 1, kR));
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
