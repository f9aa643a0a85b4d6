#include "report/run_page.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/run_plots.h"
#include "support.h"

namespace memmatch::report {
namespace {

using test::TemporaryFolder;

constexpr const char* kStep =
    R"({"event":"step","time":1700000000,"stage":1,"epoch":1,"kind":"memory","step":10,"claims":80,)"
    R"("loss":1.5,"losses":[0.5,null,0.75],"uninformed":[0.7,0.7,1.1],"head_loss":null,)"
    R"("lr_memory":1.0,"lr_encoder":0,"claims_per_second":33.5,"later":{"unknown":[1]}})";
constexpr const char* kEpoch =
    R"({"event":"epoch","time":1700000100,"stage":1,"epoch":1,"kind":"memory","step":20,"loss":1.25,)"
    R"("losses":[0.4,0.5,0.6],"uninformed":[0.7,0.7,1.1],)"
    R"("seconds":{"search":12.5,"steps":250,"dev":4000},"dev":{"claims":9,"accuracy":0.625,)"
    R"("fever_score":0.5,"level1":{"strict":0.5,"complete":0.9},)"
    R"("level2":{"strict":0.6,"complete":0.8},"distances":[30.5,20.25,10],"head_accuracy":null,)"
    R"("confusion":[[4,1,0],[1,2,0],[0,0,1]]},"best":true})";

std::string lines(std::initializer_list<std::string> all) {
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  return text;
}

std::string step_line(int epoch, int step, double loss) {
  return R"({"event":"step","stage":1,"kind":"memory","epoch":)" + std::to_string(epoch) +
         R"(,"step":)" + std::to_string(step) + R"(,"loss":)" + std::to_string(loss) + "}";
}

std::string epoch_line(int epoch, int step, const std::string& kind = "memory") {
  return R"({"event":"epoch","stage":1,"kind":")" + kind + R"(","epoch":)" + std::to_string(epoch) +
         R"(,"step":)" + std::to_string(step) + R"(,"dev":null,"best":false})";
}

class RunMetricsTest : public testing::Test {
 protected:
  RunMetrics read(const std::string& content) {
    return read_run_metrics(folder_.write("metrics.jsonl", content));
  }

  TemporaryFolder folder_;
};

TEST_F(RunMetricsTest, ReadsStepsAndEpochsAndIgnoresTheUnknown) {
  const RunMetrics run = read(lines({kStep, R"({"event":"checkpoint","step":15})", kEpoch}));
  EXPECT_FALSE(run.cut_off);
  ASSERT_EQ(run.steps.size(), 1u);
  EXPECT_EQ(run.steps[0].place.step, 10);
  EXPECT_EQ(run.steps[0].losses[0], 0.5);
  EXPECT_TRUE(std::isnan(run.steps[0].losses[1]));
  EXPECT_EQ(run.steps[0].uninformed[2], 1.1);
  EXPECT_TRUE(std::isnan(run.steps[0].head_loss));
  EXPECT_EQ(run.steps[0].claims_per_second, 33.5);
  ASSERT_EQ(run.epochs.size(), 1u);
  EXPECT_EQ(run.epochs[0].dev->level2.complete, 0.8);
  EXPECT_EQ(run.epochs[0].dev->distances[1], 20.25);
  EXPECT_EQ((*run.epochs[0].dev->confusion)[1][0], 1);
  EXPECT_EQ(run.epochs[0].dev_seconds, 4000);
  EXPECT_EQ(run.best(), &run.epochs[0]);
}

TEST_F(RunMetricsTest, ALastLineThatIsCutOffIsLeftOut) {
  const RunMetrics run = read(lines({kStep}) + std::string(kEpoch).substr(0, 100));
  EXPECT_TRUE(run.cut_off);
  EXPECT_EQ(run.steps.size(), 1u);
  EXPECT_TRUE(run.epochs.empty());
}

TEST_F(RunMetricsTest, AMalformedLineInTheMiddleIsNamed) {
  const Error error = test::error_of([&] { read(lines({kStep, "{\"event\":", kEpoch})); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("metrics.jsonl:2: "), std::string::npos) << error.what();
}

TEST_F(RunMetricsTest, AWrongFieldIsNamedAlsoInTheLastLine) {
  for (const std::string& line :
       {std::string(R"({"event":"step","epoch":1})"), std::string(R"({"step":1,"epoch":1})"),
        std::string(R"({"event":"step","epoch":1,"step":1,"loss":"low"})"),
        std::string(R"({"event":"step","epoch":1,"step":1,"losses":[1,2,3,4]})"),
        std::string(R"({"event":"step","epoch":1,"step":1,"losses":["a"]})"),
        std::string(R"({"event":"epoch","epoch":1,"step":1,"dev":{"confusion":[[1]]}})")}) {
    const Error error = test::error_of([&] { read(lines({kStep, line})); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_NE(std::string(error.what()).find("metrics.jsonl:2: "), std::string::npos)
        << error.what();
  }
}

TEST_F(RunMetricsTest, WhatAResumedRunWritesAgainCountsOnce) {
  const RunMetrics run =
      read(lines({step_line(1, 10, 0.9), step_line(1, 20, 0.8), epoch_line(1, 20),
                  step_line(2, 30, 0.7), step_line(2, 40, 0.6), epoch_line(2, 40),
                  // killed; resumed from a checkpoint after step 20
                  step_line(2, 30, 0.5), step_line(2, 40, 0.4), epoch_line(2, 40)}));
  ASSERT_EQ(run.steps.size(), 4u);
  EXPECT_EQ(run.steps[2].loss, 0.5);
  EXPECT_EQ(run.steps[3].loss, 0.4);
  ASSERT_EQ(run.epochs.size(), 2u);
}

TEST_F(RunMetricsTest, EpochsOfAnotherKindMayHaveTheSameNumberAndStep) {
  const RunMetrics run = read(lines({epoch_line(1, 20, "warmup"), epoch_line(1, 20, "memory")}));
  EXPECT_EQ(run.epochs.size(), 2u);
}

class RunReportTest : public testing::Test {
 protected:
  std::string report(const std::string& metrics) {
    folder_.write("metrics.jsonl", metrics);
    return run_report(folder_ / "");
  }

  static void expect_parts(const std::string& html, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) EXPECT_NE(html.find(part), std::string::npos) << part;
  }

  TemporaryFolder folder_;
};

TEST_F(RunReportTest, ShowsCurvesTablesAndTheConfiguration) {
  folder_.write("config.toml", "k1 = [10, 30]  # <beam>\n");
  const std::string html = report(lines({kStep, kEpoch}));
  expect_parts(html,
               {"Loss of each level", "level 2, nothing learned", "Dev accuracy and FEVER score",
                "Dev retrieval", "Mean distances", "Learning rate of the memory layers", "seconds",
                "<tr class=\"marked\"><th scope=\"row\">1 ★</th>", "62.50 %", "4 min 10 s",
                "1 h 06 min", "2023-11-14 22:15:00 UTC", "NOT ENOUGH INFO",
                "<td>4</td><td>1</td><td>0</td><td>80.00 %</td>", "k1 = [10, 30]  # &lt;beam&gt;"});
  EXPECT_EQ(html.find("plain head</b>"), std::string::npos);  // the run has none
  EXPECT_EQ(html.find("nan"), std::string::npos);
}

TEST_F(RunReportTest, ARunThatHasJustBegunHasAPage) {
  expect_parts(report(""), {"has not written any step yet", "no config.toml"});
  expect_parts(report(lines({step_line(1, 10, 0.5)})), {"Step 10, epoch 1 (memory)"});
  expect_parts(report(lines({kStep}) + "{\"ev"), {"incomplete and was left out"});
}

TEST_F(RunReportTest, AFolderThatIsNoRunIsRefused) {
  EXPECT_EQ(test::error_of([&] { run_report(folder_ / "nowhere"); }).kind(), ErrorKind::not_found);
  const Error error = test::error_of([&] { run_report(folder_ / ""); });
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_NE(std::string(error.what()).find("metrics.jsonl"), std::string::npos);
}

TEST(RunPlots, AreOverTheSameStepsAndMarkTheBestEpochAndTheSecondStage) {
  RunMetrics run;
  for (int i = 1; i <= 3; ++i) {
    EpochMetrics epoch;
    epoch.place.epoch = i;
    epoch.place.step = 100 * i;
    epoch.place.stage = i == 3 ? 2 : 1;
    epoch.best = i == 2;
    epoch.dev = DevMetrics{};
    epoch.dev->accuracy = 0.5;
    epoch.search_seconds = 3;
    run.epochs.push_back(epoch);
  }
  const std::vector<Plot> plots = run_plots(run);
  ASSERT_EQ(plots.size(), 2u);  // accuracy and seconds; there is nothing else to draw
  for (const Plot& plot : plots) {
    EXPECT_EQ(plot.x_covers->high, 300);
    ASSERT_EQ(plot.lines.size(), 2u);
    EXPECT_EQ(plot.lines[0].label, "stage 2");
    EXPECT_EQ(plot.lines[0].value, 200);
    EXPECT_EQ(plot.lines[1].label, "best");
    EXPECT_EQ(plot.lines[1].value, 200);
  }
  EXPECT_EQ(plots[0].series[0].points[0].y, 50);
}

}  // namespace
}  // namespace memmatch::report
