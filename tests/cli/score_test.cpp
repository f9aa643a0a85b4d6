#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

class ScoreTest : public testing::Test {
 protected:
  void SetUp() override {
    gold_ = folder_.write("gold.jsonl",
                          R"({"id": 1, "label": "SUPPORTS", "evidence": [[[0, 0, "Moon", 0]]]})"
                          "\n"
                          R"({"id": 2, "label": "NOT ENOUGH INFO", "evidence": []})"
                          "\n");
  }

  Outcome score(const std::string& predictions, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"score", "--gold", gold_, "--predictions",
                                       folder_.write("p.jsonl", predictions)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  TemporaryFolder folder_;
  std::string gold_;
};

const std::string kPredictions =
    R"({"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["Sun", 3], ["Moon", 0]]})"
    "\n"
    R"({"id": 2, "predicted_label": "REFUTES", "predicted_evidence": []})"
    "\n";

TEST_F(ScoreTest, FiveNumbersAsFractions) {
  const Outcome outcome = score(kPredictions, {"--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(json::parse(outcome.out),
            json::parse(R"({"fever_score": 0.5, "accuracy": 0.5, "precision": 0.5, "recall": 1.0,
                            "f1": 0.6666666666666666, "claims": 2, "verifiable": 1})"));
  const std::string readable = score(kPredictions).out;
  EXPECT_NE(readable.find("F1               0.6667\n"), std::string::npos) << readable;
}

TEST_F(ScoreTest, MaxEvidence) {
  const Outcome outcome = score(kPredictions, {"--json", "--max-evidence", "1"});
  EXPECT_EQ(json::parse(outcome.out)["recall"], 0.0);
}

TEST_F(ScoreTest, PredictionsThatDoNotFitAreRefusedAndNothingIsPrinted) {
  const std::string first = kPredictions.substr(0, kPredictions.find('\n') + 1);
  for (const std::string& predictions :
       {first, kPredictions + first, std::string("{\"id\": 1}\n")}) {
    const Outcome outcome = score(predictions);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("p.jsonl:"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(score(kPredictions + first, {"--by-id"}).code, 1);
  EXPECT_EQ(score(kPredictions, {"--max-evidence", "-1"}).code, 2);
}

}  // namespace
}  // namespace memmatch
