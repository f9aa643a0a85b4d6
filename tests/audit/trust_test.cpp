#include "audit/trust.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::audit {
namespace {

using enum Label;
using test::TemporaryFolder;

constexpr ContentHash kModel{1, 2, 3};

// A decision on edited evidence, and a database whose tag "corrections" says another label.
class TrustTest : public testing::Test {
 protected:
  TrustTest() {
    Exemplars database = Exemplars::open(file_, Exemplars::Access::create);
    database.add("corrections", kModel,
                 {.claim = "Claim.",
                  .evidence = {{"Moon", "Moon", 0, "Text."}},
                  .gold = refutes,
                  .predicted = supports,
                  .difference = {1, 0}});
    auditor_.emplace(file_, kModel);
    calibration_.k1 = 10;
    calibration_.z = 3;
    calibration_.level2 = statistics_of({1, 2, 3});
    calibration_.level3 = statistics_of({1, 2, 3});
    calibration_.confidence.emplace();
    calibration_.confidence->deviation.fill(1);
    calibration_.confidence->of_label[0][Confidence::kInputs] = 2;   // sure of "supports"
    calibration_.confidence->of_label[1][Confidence::kInputs] = -2;  // not of "refutes"
  }

  static Verdict decided(Label label) {
    Verdict verdict;
    verdict.label = label;
    verdict.label_distances = {1.0, 2.0, 3.0};
    verdict.evidence.resize(1);
    verdict.evidence[0].edited = true;
    verdict.evidence[0].level2_distance = 1;
    verdict.difference = {0, 0};
    return verdict;
  }

  Verdict trusted(Verdict verdict, const TrustRules& rules) {
    apply_trust(rules, {&calibration_, &*auditor_}, search_, {&verdict, 1});
    return verdict;
  }

  static TrustRules rules(const char* admission, const char* update_tag = "") {
    return {parse_rule(admission), ExemplarOptions{.update_tag = update_tag}};
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "e.db";
  Calibration calibration_;
  SearchOptions search_{.k1 = 10, .z = 3};
  std::optional<ExemplarAuditor> auditor_;
};

TEST_F(TrustTest, AChangedLabelNeverCarriesTheConfidenceOfTheOneItReplaced) {
  const Verdict kept = trusted(decided(supports), rules("confidence:0.5"));
  EXPECT_EQ(kept.label, supports);
  EXPECT_NEAR(kept.admission->confidence.value(), 0.88, 0.01);
  EXPECT_TRUE(kept.admitted());

  const Verdict changed = trusted(decided(supports), rules("confidence:0.5", "corrections"));
  EXPECT_EQ(changed.label, refutes);
  EXPECT_FALSE(changed.admission->confidence.has_value());
  EXPECT_FALSE(changed.admission->admitted);
  ASSERT_EQ(changed.admission->reasons.size(), 1u);
  EXPECT_NE(changed.admission->reasons[0].find("exemplars"), std::string::npos);
  EXPECT_EQ(changed.level3_distance(), 1.0) << "of the model's decision";
}

TEST_F(TrustTest, AnExemplarThatAgreesLeavesTheConfidence) {
  const Verdict agreed = trusted(decided(refutes), rules("mean", "corrections"));
  EXPECT_EQ(agreed.label, refutes);
  EXPECT_EQ(agreed.exemplars->update.size(), 1u);
  EXPECT_NEAR(agreed.admission->confidence.value(), 0.12, 0.01);
}

// Distances are those of the model's decision, whatever became of its label.
TEST_F(TrustTest, DistancesAreTheModelsAlsoWhereTheLabelIsAnExemplars) {
  const Verdict changed = trusted(decided(supports), rules("mean", "corrections"));
  EXPECT_EQ(changed.label, refutes);
  EXPECT_TRUE(changed.admission->admitted);
  EXPECT_EQ(level_distances(changed)->margin, level_distances(decided(supports))->margin);
  EXPECT_EQ(level_distances(changed)->level3, 1.0);
}

TEST_F(TrustTest, DoneTwiceItIsAsDoneOnce) {
  search_.k1 = 11;
  const TrustRules asked = rules("confidence:0.5", "corrections");
  const Verdict once = trusted(decided(supports), asked);
  const Verdict twice = trusted(once, asked);
  EXPECT_EQ(twice.label, refutes);
  EXPECT_EQ(twice.model_label(), supports);
  EXPECT_EQ(twice.exemplars->nearest.at(0).kind, once.exemplars->nearest.at(0).kind);
  EXPECT_FALSE(twice.admission->confidence.has_value());
  EXPECT_EQ(twice.warnings, once.warnings);
  const Verdict without = trusted(twice, rules("mean"));
  EXPECT_EQ(without.label, supports) << "nobody asks for the correction any more";
  EXPECT_TRUE(without.admission->confidence.has_value());
}

TEST_F(TrustTest, ACalibrationOfAnotherSearchIsSaid) {
  EXPECT_TRUE(trusted(decided(supports), rules("mean")).warnings.empty());
  for (const SearchOptions& other :
       {SearchOptions{.k1 = 11, .z = 3}, SearchOptions{.k1 = 10, .z = 4},
        SearchOptions{.k1 = 10, .z = 3, .two_class = true},
        SearchOptions{.k1 = 10, .z = 3, .candidates = Candidates::all}}) {
    search_ = other;
    const Verdict verdict = trusted(decided(supports), rules("mean"));
    ASSERT_EQ(verdict.warnings.size(), 1u);
    EXPECT_NE(verdict.warnings[0].find("calibrated with k1 10 and z 3,"), std::string::npos);
    EXPECT_TRUE(trusted(decided(supports), {.exemplars = ExemplarOptions{}}).warnings.empty())
        << "nothing was calibrated";
  }
}

TEST_F(TrustTest, NothingIsDoneWhereNothingIsAskedFor) {
  Verdict verdict = decided(supports);
  apply_trust({}, {}, search_, {&verdict, 1});
  EXPECT_FALSE(verdict.admission || verdict.exemplars);
}

}  // namespace
}  // namespace memmatch::audit
