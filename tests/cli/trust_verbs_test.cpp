#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process.h"
#include "search/search_world.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

// calibrate, --admit and align with a small random model: its verdicts mean nothing, but some of
// them are right.
class TrustVerbsTest : public testing::Test {
 protected:
  void SetUp() override {
    Datastore store = Datastore::open(store_, Datastore::Access::create);
    test::import_all(store, test::random_documents(40, 1));
  }

  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--store", store_, "--model", model_});
    return run_program(arguments);
  }

  // Claims about words, whose gold evidence is the first sentence of the document with that title.
  std::string write_claims(const char* name, int count, std::uint64_t seed) const {
    static constexpr const char* kLabels[] = {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"};
    std::string lines;
    int id = 0;
    for (const std::string& claim : test::random_claims(count, seed)) {
      const std::string word = test::world_words()[static_cast<std::size_t>(id) % 24];
      lines += json{{"id", id},
                    {"claim", word + " " + claim},
                    {"label", kLabels[id % 3]},
                    {"evidence", {{{1, 1, std::to_string(id % 24), 0}}}}}
                   .dump() +
               "\n";
      ++id;
    }
    return folder_.write(name, lines);
  }

  void calibrate() const {
    const Outcome outcome =
        run({"calibrate", "--claims", write_claims("train.jsonl", 60, 3), "--dev",
             write_claims("dev.jsonl", 60, 4), "--k1", "4", "--z", "2", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const json figures = json::parse(outcome.out);
    EXPECT_GT(figures["level3"]["count"], 0);
    EXPECT_EQ(figures["confidence"]["claims"], 60);
  }

  TemporaryFolder folder_;
  std::string store_ = folder_ / "s.db";
  std::string model_ = test::small_model(folder_);
};

TEST_F(TrustVerbsTest, HelpOpensWithAnExample) {
  for (const char* verb : {"calibrate", "align", "report"})
    EXPECT_TRUE(run_program({verb, "--help"}).out.starts_with("Examples:\n")) << verb;
}

TEST_F(TrustVerbsTest, WithoutCalibrationAdmissionIsAnErrorThatSaysWhatToDo) {
  const Outcome outcome = run({"verify", "The moon is old.", "--admit", "mean"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("memmatch calibrate"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"verify", "The moon is old.", "--admit", "median"}).code, 2);
}

TEST_F(TrustVerbsTest, VerdictsSayWhetherTheyAreAdmitted) {
  calibrate();
  const std::vector<std::string> verify = {"verify", "The moon is old.", "--k1", "4", "--z", "2"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = verify;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const json all = json::parse(with({"--admit", "confidence:0", "--json"}).out);
  EXPECT_EQ(all["admission"]["admitted"], true);
  EXPECT_GT(all["admission"]["confidence"], 0);
  const json none = json::parse(with({"--admit", "confidence:1", "--json"}).out);
  EXPECT_EQ(none["admission"]["admitted"], false);
  EXPECT_EQ(none["admission"]["reasons"].size(), 1u);
  EXPECT_EQ(none["label"], all["label"]);
  EXPECT_FALSE(json::parse(with({"--json", "--admit", "none"}).out).contains("admission"));
  EXPECT_EQ(json::parse(with({"--json"}).out)["admission"]["rule"], "confidence:0.8");
  const Outcome readable = with({"--admit", "confidence:1"});
  EXPECT_NE(readable.out.find("not admitted (confidence:1), confidence 0."), std::string::npos)
      << readable.out;
  EXPECT_NE(readable.out.find("such verdict"), std::string::npos) << readable.out;
  EXPECT_EQ(readable.out.find("calibrated with"), std::string::npos) << readable.out;
}

TEST_F(TrustVerbsTest, OtherSettingsThanTheCalibrationsAreSaidAndOtherPrecisionsRefused) {
  calibrate();
  const Outcome wider = run({"verify", "The moon is old.", "--admit", "mean", "--k1", "5"});
  EXPECT_EQ(wider.code, 0);
  EXPECT_NE(wider.out.find("calibrated with k1 4 and z 2"), std::string::npos) << wider.out;
  const json as_json = json::parse(
      run({"verify", "The moon is old.", "--admit", "mean", "--k1", "5", "--json"}).out);
  EXPECT_EQ(as_json["warnings"].size(), 1u);
  const std::string out = folder_ / "p.jsonl";
  const Outcome predicted = run({"predict", "--claims", write_claims("c.jsonl", 5, 3), "--out", out,
                                 "--admit", "mean", "--k1", "5"});
  EXPECT_NE(predicted.err.find("calibrated with k1 4 and z 2"), std::string::npos) << predicted.err;
  const Outcome quick =
      run({"verify", "The moon is old.", "--admit", "mean", "--precision", "int8"});
  EXPECT_EQ(quick.code, 1);
  EXPECT_NE(quick.err.find("not calibrated in int8"), std::string::npos) << quick.err;
}

TEST_F(TrustVerbsTest, PredictionsThatAreNotAdmittedAreMarkedNotDropped) {
  calibrate();
  const std::string claims = write_claims("some.jsonl", 9, 5);
  const std::string out = folder_ / "p.jsonl";
  const Outcome outcome = run({"predict", "--claims", claims, "--out", out, "--k1", "4", "--z", "2",
                               "--admit", "confidence:1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("9 of this run's are not admitted"), std::string::npos) << outcome.err;
  std::istringstream lines(read_file(out));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(json::parse(line)["admitted"], false);
    EXPECT_TRUE(json::parse(line)["confidence"].is_number());
  }
  EXPECT_EQ(count, 9);
  EXPECT_EQ(run_program({"score", "--gold", claims, "--predictions", out}).code, 0);
}

TEST_F(TrustVerbsTest, EvaluateComparesTheConfidenceWithItsBaselinesAndReportShowsIt) {
  calibrate();
  const std::string claims = write_claims("test.jsonl", 30, 6);
  const std::vector<std::string> evaluate = {
      "evaluate", "--claims", claims, "--k1", "4", "--z", "2", "--admit", "mean", "--no-baseline"};
  const Outcome readable = run(evaluate);
  ASSERT_EQ(readable.code, 0) << readable.err;
  for (const char* name : {"| +dist |", "| +dist+exchange |", "| calibrated confidence |",
                           "| label margin alone |", "| level-3 distance alone |"})
    EXPECT_NE(readable.out.find(name), std::string::npos) << name << "\n" << readable.out;
  std::vector<std::string> as_json = evaluate;
  as_json.push_back("--json");
  const Outcome outcome = run(as_json);
  const json trust = json::parse(outcome.out)["trust"];
  EXPECT_EQ(trust["modes"][0]["claims"], 30);
  EXPECT_EQ(trust["calibration"]["fitted_on_these"], false);
  EXPECT_EQ(trust["examples"]["nearest"].size(), 5u);
  const std::string file = folder_.write("test.json", outcome.out);
  const std::string page = folder_ / "test.html";
  EXPECT_EQ(run_program({"report", file, "--out", page}).code, 0);
  EXPECT_NE(read_file(page).find("Which verdicts to trust"), std::string::npos);
}

TEST_F(TrustVerbsTest, AlignsAtEveryLevelInTextJsonAndHtml) {
  const Outcome text = run({"align", "The old moon is cold.", "--level", "1,2,3"});
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part : {"level 1, distance ", "level 3, distance ",
                           "Claim: The old moon is cold.", "Evidence: ", "→"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
  EXPECT_EQ(text.out.find('\033'), std::string::npos) << "no colour where there is no terminal";
  const json aligned = json::parse(run({"align", "The old moon is cold.", "--json"}).out);
  EXPECT_EQ(aligned["alignments"].size(), 1u);
  EXPECT_EQ(aligned["alignments"][0]["filters"], 20);
  // The level-1 distance, but for the rounding of stored vectors.
  const json verdict = json::parse(run({"verify", "The old moon is cold.", "--json"}).out);
  EXPECT_NEAR(aligned["alignments"][0]["distance"].get<double>(),
              verdict["evidence"][0]["level1_distance"].get<double>(), 1e-2);
  const std::string page = folder_ / "a.html";
  EXPECT_EQ(run({"align", "The old moon is cold.", "--html", page}).code, 0);
  EXPECT_NE(read_file(page).find("data-links="), std::string::npos);
  EXPECT_EQ(run({"align", "The old moon is cold.", "--evidence", "99"}).code, 2);
  EXPECT_EQ(run({"align", "The moon", "--level", "4"}).code, 2);
  EXPECT_EQ(run({"align"}).code, 2);
}

}  // namespace
}  // namespace memmatch
