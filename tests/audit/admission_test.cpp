#include "audit/admission.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::audit {
namespace {

using test::error_of;

// The research code's means (reference §7).
constexpr MeanDistances kMeans{0.4862351810180722, 0.919224547006786};

struct Row {
  const char* id;
  double level2;
  double level3;
  Label label;
  Label gold;
};

constexpr Label kS = Label::supports;
constexpr Label kR = Label::refutes;

// Reference T17.
constexpr Row kRows[] = {{"100", .05, .54, kS, kS},
                         {"1000000002", .06, 1.33, kR, kS},
                         {"1000000003", 162.77, .84, kS, kR},
                         {"1000000004", .08, .67, kS, kS},
                         {"2000000004", 0.4862351810180722, .1, kS, kR},
                         {"200", .1, .95, kR, kR}};

bool changed(const Row& row) {
  return std::string_view(row.id).ends_with("0000002") ||
         std::string_view(row.id).ends_with("0000004");
}

TEST(AdmissionTest, ThePapersRuleAndExchange) {
  int base = 0;
  int exchange = 0;
  std::vector<std::string> admitted;
  int admitted_right = 0;
  for (const Row& row : kRows) {
    const bool admit = kMeans.admit(row.level2, row.level3);
    base += row.label == row.gold;
    if (admit) admitted.push_back(row.id);
    admitted_right += admit && row.label == row.gold;
    exchange += exchanged(row.label, admit, changed(row)) == row.gold;
  }
  EXPECT_EQ(base, 3);
  EXPECT_EQ(admitted, (std::vector<std::string>{"100", "1000000004"}));
  EXPECT_EQ(admitted_right, 2);
  EXPECT_EQ(exchange, 5);
}

TEST(AdmissionTest, UnverifiableHasNoOpposite) {
  EXPECT_EQ(exchanged(Label::unverifiable, false, true), Label::unverifiable);
}

Verdict verdict(double level2, double level3) {
  Verdict verdict;
  verdict.label = Label::refutes;
  verdict.label_distances = {level3 + 2, level3, level3 + 1};
  verdict.evidence.resize(1);
  verdict.evidence[0].level2_distance = level2;
  return verdict;
}

Calibration calibration() {
  Calibration calibration;
  calibration.level2 = statistics_of({1, 2, 3, 4, 5});
  calibration.level3 = statistics_of({10, 20, 30, 40, 50});
  return calibration;
}

bool admitted(double level2, double level3, const char* rule) {
  return admission_of(verdict(level2, level3), parse_rule(rule), calibration()).admitted;
}

TEST(AdmissionTest, MeansAreOutThemselvesAndQuantilesAreIn) {
  EXPECT_TRUE(admitted(2.9, 29.9, "mean"));
  EXPECT_FALSE(admitted(3, 29.9, "mean"));
  EXPECT_FALSE(admitted(2.9, 30, "mean"));
  EXPECT_TRUE(admitted(4, 40, "quantile:0.75"));
  EXPECT_FALSE(admitted(4.001, 40, "quantile:0.75"));
  EXPECT_FALSE(admitted(4, 40.001, "quantile:0.75"));
  EXPECT_TRUE(admitted(5, 50, "quantile:1"));
}

TEST(AdmissionTest, ReasonsNameWhatIsTooFar) {
  const Admission far = admission_of(verdict(7, 20), parse_rule("quantile:0.5"), calibration());
  EXPECT_EQ(far.rule, "quantile:0.5");
  ASSERT_EQ(far.reasons.size(), 1u);
  EXPECT_EQ(far.reasons[0],
            "the level-2 distance 7.000 is beyond the quantile 0.5 of right retrievals (3.000)");
}

TEST(AdmissionTest, AVerdictWithoutCandidatesIsNotAdmitted) {
  const Admission none = admission_of(Verdict(), parse_rule("quantile:1"), calibration());
  EXPECT_FALSE(none.admitted);
  EXPECT_EQ(none.reasons.size(), 1u);
}

TEST(AdmissionTest, AConfidenceThatIsNotThereIsAskedFor) {
  const Error error =
      error_of([] { admission_of(verdict(1, 1), parse_rule("confidence:0.5"), calibration()); });
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_NE(std::string(error.what()).find("--dev"), std::string::npos);
}

TEST(AdmissionTest, ConfidenceIsAtLeastTheThreshold) {
  Calibration calibrated = calibration();
  calibrated.confidence.emplace();
  calibrated.confidence->deviation.fill(1);
  calibrated.confidence->shared[0] = 0;  // all weights 0: one half for everybody
  EXPECT_TRUE(admission_of(verdict(9, 9), parse_rule("confidence:0.5"), calibrated).admitted);
  const Admission out = admission_of(verdict(9, 9), parse_rule("confidence:0.51"), calibrated);
  EXPECT_FALSE(out.admitted);
  EXPECT_DOUBLE_EQ(out.confidence.value(), 0.5);
}

TEST(AdmissionTest, RulesAreParsedStrictly) {
  for (const char* rule : {"mean", "quantile:0.9", "confidence:0.75", "quantile:1"})
    EXPECT_EQ(parse_rule(rule).text(), rule);
  for (const char* rule : {"", "means", "quantile", "quantile:", "quantile:1.5", "quantile:-0.1",
                           "confidence:0.5x", "confidence:nan", "Mean"}) {
    EXPECT_EQ(error_of([&] { parse_rule(rule); }).kind(), ErrorKind::invalid_argument) << rule;
  }
}

}  // namespace
}  // namespace memmatch::audit
