#include <gtest/gtest.h>

#include "audit/calibration.h"
#include "memmatch/trust.h"
#include "search/search_world.h"

namespace memmatch {
namespace {

// A small model without calibration, until a test makes one.
class TrustOfModelTest : public testing::Test {
 protected:
  void calibrate(double of_supports) {
    audit::Calibration calibration;
    calibration.model = verifier_.model_fingerprint();
    calibration.k1 = 20;
    calibration.z = 5;
    calibration.level2 = audit::statistics_of({1, 2, 3});
    calibration.level3 = audit::statistics_of({1, 2, 3});
    calibration.confidence.emplace();
    calibration.confidence->deviation.fill(1);
    calibration.confidence->of_label[0][audit::Confidence::kInputs] = of_supports;
    audit::write_calibration(model_, calibration);
  }

  static Verdict supported() {
    Verdict verdict;
    verdict.label = Label::supports;
    verdict.label_distances = {1.0, 2.0, 3.0};
    verdict.evidence.resize(1);
    return verdict;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path model_ = test::small_model(folder_);
  Verifier verifier_ = Verifier::open(model_, {});
};

TEST_F(TrustOfModelTest, WithoutACalibrationThereIsNoRuleUnlessOneIsAskedFor) {
  Trust trust(model_, verifier_, {});
  EXPECT_EQ(trust.rule(), "none");
  EXPECT_EQ(trust.setting(), "");
  Verdict verdict = supported();
  trust.apply({}, {&verdict, 1});
  EXPECT_FALSE(verdict.admission);
  EXPECT_THROW(Trust(model_, verifier_, {.admit = "mean"}), Error);
  EXPECT_THROW(Trust(model_, verifier_, {.admit = "sometimes"}), Error);
}

TEST_F(TrustOfModelTest, ACalibrationBringsItsRuleUnlessNoneIsWanted) {
  calibrate(2);
  Trust trust(model_, verifier_, {});
  EXPECT_EQ(trust.rule(), "confidence:0.8");
  EXPECT_TRUE(trust.setting().starts_with("confidence:0.8 ")) << trust.setting();
  Verdict verdict = supported();
  trust.apply({}, {&verdict, 1});
  ASSERT_TRUE(verdict.admission);
  EXPECT_NEAR(verdict.admission->confidence.value(), 0.88, 0.01);
  EXPECT_EQ(Trust(model_, verifier_, {.admit = "none"}).rule(), "none");
}

TEST_F(TrustOfModelTest, TheSettingChangesWithTheCalibration) {
  calibrate(2);
  const std::string before = Trust(model_, verifier_, {}).setting();
  calibrate(1);
  EXPECT_NE(Trust(model_, verifier_, {}).setting(), before);
}

TEST_F(TrustOfModelTest, AnAuditHasTheSearchKeepDifferenceVectors) {
  EXPECT_FALSE(Trust(model_, verifier_, {}).search({}).difference);
  const auto file = folder_ / "e.db";
  Exemplars::open(file, Exemplars::Access::create);
  Trust trust(model_, verifier_, {.exemplars = file});
  EXPECT_TRUE(trust.search({}).difference);
  EXPECT_NE(trust.auditor(), nullptr);
}

}  // namespace
}  // namespace memmatch
