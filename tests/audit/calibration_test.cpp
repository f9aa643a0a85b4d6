#include "audit/calibration.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "support.h"

namespace memmatch::audit {
namespace {

using engine::Precision;
using test::error_of;
using test::TemporaryFolder;

TEST(StatisticsTest, MeanDeviationAndQuantiles) {
  const DistanceStatistics some = statistics_of({4, 1, 3, 2});
  EXPECT_EQ(some.count, 4u);
  EXPECT_DOUBLE_EQ(some.mean, 2.5);
  EXPECT_DOUBLE_EQ(some.deviation, std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(some.quantile(0), 1);
  EXPECT_DOUBLE_EQ(some.quantile(0.5), 2.5);
  EXPECT_NEAR(some.quantile(0.9), 3.7, 1e-12);
  EXPECT_DOUBLE_EQ(some.quantile(1), 4);
}

TEST(StatisticsTest, OfNothingAndOfOne) {
  EXPECT_EQ(statistics_of({}).quantile(0.5), 0);
  EXPECT_EQ(statistics_of({7}).quantile(0.5), 7);
  EXPECT_EQ(statistics_of({7}).deviation, 0);
}

class CalibrationFileTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"config.json", "model.safetensors", "vocab.txt"}) {
      std::filesystem::copy_file(test::fixture("golden_model_v1") / name, folder_ / name);
    }
  }

  static Calibration some(Precision precision) {
    Calibration calibration;
    calibration.model = {1, 2, 3};
    calibration.precision = precision;
    calibration.k1 = 30;
    calibration.z = 3;
    calibration.train = {"train.jsonl", "ab12", 100, 200};
    calibration.level2 = statistics_of({0.1, 0.2, 1.0 / 3});
    calibration.level3 = statistics_of({1, 2});
    calibration.fitted_on = {{"dev.jsonl", "cd34", 50, 50}, {"pairs.jsonl", "ef56", 7, 9}};
    Confidence confidence;
    confidence.mean = {1, 2, 3, 0.1};
    confidence.deviation = {1, 2, 3, 4};
    confidence.shared = {0.5, -0.25, 1.0 / 7, 0, 2};
    confidence.of_label[2] = {1, 1, 1, 1, -1};
    confidence.of_task[1] = {0, 0, 0, 3, -2};
    confidence.claims = 50;
    confidence.brier = 0.25;
    calibration.confidence = confidence;
    return calibration;
  }

  void spoil(const std::function<void(nlohmann::json&)>& change) {
    write_calibration(folder_.path(), some(Precision::fp32));
    auto json = nlohmann::json::parse(read_file(folder_ / "calibration.json"));
    change(json);
    folder_.write("calibration.json", json.dump());
  }

  Error failure(const ContentHash& model = {1, 2, 3}, Precision precision = Precision::fp32) {
    return error_of([&] { read_calibration(folder_.path(), model, precision); });
  }

  TemporaryFolder folder_;
};

TEST_F(CalibrationFileTest, WhatIsWrittenIsReadAgain) {
  const Calibration written = some(Precision::fp32);
  write_calibration(folder_.path(), written);
  const Calibration read = read_calibration(folder_.path(), {1, 2, 3}, Precision::fp32);
  EXPECT_EQ(read.k1, 30);
  EXPECT_EQ(read.z, 3);
  EXPECT_EQ(read.train.hash, "ab12");
  EXPECT_EQ(read.train.used, 100u);
  EXPECT_EQ(read.level2.quantiles, written.level2.quantiles);
  EXPECT_EQ(read.level2.deviation, written.level2.deviation);
  ASSERT_EQ(read.fitted_on.size(), 2u);
  EXPECT_EQ(read.fitted_on[0].file, "dev.jsonl");
  EXPECT_EQ(read.fitted_on[1].used, 7u);
  for (const Task task : {Task::found, Task::given, Task::given_two_labels}) {
    const LevelDistances distances{1, 2, 3, 4, task};
    for (const Label label : {Label::supports, Label::refutes, Label::unverifiable})
      EXPECT_EQ(read.confidence->of(distances, label), written.confidence->of(distances, label));
  }
}

TEST_F(CalibrationFileTest, TheSecondVersionHasNoTasksAndIsStillRead) {
  spoil([](auto& json) {
    json["format_version"] = 2;
    json["fp32"]["confidence"].erase("tasks");
  });
  const Confidence confidence =
      *read_calibration(folder_.path(), {1, 2, 3}, Precision::fp32).confidence;
  EXPECT_EQ(confidence.of({1, 2, 3, 4, Task::found}, Label::supports),
            confidence.of({1, 2, 3, 4, Task::given}, Label::supports));
}

TEST_F(CalibrationFileTest, TheFirstVersionIsStillRead) {
  spoil([](auto& json) {
    json["format_version"] = 1;
    json["fp32"]["dev"] = json["fp32"]["fitted_on"][0];
    json["fp32"].erase("fitted_on");
  });
  const Calibration read = read_calibration(folder_.path(), {1, 2, 3}, Precision::fp32);
  ASSERT_EQ(read.fitted_on.size(), 1u);
  EXPECT_EQ(read.fitted_on[0].hash, "cd34");
}

TEST_F(CalibrationFileTest, PrecisionsStandBesideEachOther) {
  write_calibration(folder_.path(), some(Precision::fp32));
  EXPECT_EQ(failure({1, 2, 3}, Precision::int8).kind(), ErrorKind::not_found);
  Calibration quick = some(Precision::int8);
  quick.k1 = 5;
  write_calibration(folder_.path(), quick);
  EXPECT_EQ(read_calibration(folder_.path(), {1, 2, 3}, Precision::fp32).k1, 30);
  EXPECT_EQ(read_calibration(folder_.path(), {1, 2, 3}, Precision::int8).k1, 5);
  // Another model's go.
  quick.model = {9};
  write_calibration(folder_.path(), quick);
  EXPECT_EQ(failure({9}, Precision::fp32).kind(), ErrorKind::not_found);
}

TEST_F(CalibrationFileTest, AnotherModelsCalibrationIsRefused) {
  write_calibration(folder_.path(), some(Precision::fp32));
  const Error error = failure({4, 5, 6});
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("another model"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("memmatch calibrate"), std::string::npos);
  EXPECT_FALSE(find_calibration(folder_.path(), {4, 5, 6}, Precision::fp32).has_value());
}

TEST_F(CalibrationFileTest, NoneIsSaidToBeMissing) {
  const Error error = failure();
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_NE(std::string(error.what()).find("not calibrated"), std::string::npos);
  EXPECT_FALSE(find_calibration(folder_.path(), {1, 2, 3}, Precision::fp32).has_value());
}

TEST_F(CalibrationFileTest, DamageIsNamedAndDoesNotStopANewOne) {
  spoil([](auto& json) { json["fp32"]["level2"].erase("mean"); });
  EXPECT_EQ(failure().kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(failure().what()).find("'mean'"), std::string::npos) << failure().what();
  spoil([](auto& json) { json["fp32"]["level3"]["quantiles"].erase(0); });
  EXPECT_EQ(failure().kind(), ErrorKind::corrupt);
  spoil([](auto& json) { json["fp32"]["level3"]["quantiles"][0] = 1e9; });
  EXPECT_EQ(failure().kind(), ErrorKind::corrupt);
  spoil([](auto& json) { json["fp32"]["confidence"]["std"][1] = 0; });
  EXPECT_EQ(failure().kind(), ErrorKind::corrupt);
  spoil([](auto& json) { json["fp32"]["train"]["used"] = "many"; });
  EXPECT_EQ(failure().kind(), ErrorKind::corrupt);
  spoil([](auto& json) { json["format_version"] = 4; });
  EXPECT_EQ(failure().kind(), ErrorKind::unsupported);
  folder_.write("calibration.json", "{\"format_ver");
  EXPECT_EQ(failure().kind(), ErrorKind::corrupt);
  write_calibration(folder_.path(), some(Precision::int8));
  EXPECT_EQ(read_calibration(folder_.path(), {1, 2, 3}, Precision::int8).z, 3);
}

}  // namespace
}  // namespace memmatch::audit
