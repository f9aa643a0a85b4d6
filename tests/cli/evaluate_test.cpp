#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "packed.h"
#include "process.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

// The verbs on a store of five sentences and the golden model, whose verdicts mean nothing.
class EvaluateVerbsTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto corpus = folder_.write(
        "corpus.jsonl",
        R"({"title": "Moon", "sentences": ["The Moon orbits the Earth.", "It is round.", "It is cold."]})"
        "\n"
        R"({"title": "Earth", "sentences": ["The Earth is a planet.", "It is warm."]})"
        "\n");
    ASSERT_EQ(run_program({"import", "jsonl", corpus, "--store", store_}).code, 0);
    claims_ = folder_.write("claims.jsonl",
                            R"({"id": 1, "label": "SUPPORTS", "claim": "The Moon is round.", )"
                            R"("evidence": [[[0, 0, "Moon", 1]]]})"
                            "\n"
                            R"({"id": 2, "label": "REFUTES", "claim": "The Earth is cold.", )"
                            R"("evidence": [[[0, 0, "Earth", 1]]]})"
                            "\n"
                            R"({"id": 3, "label": "NOT ENOUGH INFO", "claim": "The Moon is old."})"
                            "\n");
  }

  Outcome run(const std::string& verb, std::vector<std::string> more) const {
    std::vector<std::string> arguments{verb, "--store", store_, "--model",
                                       test::fixture("golden_model_v1").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  TemporaryFolder folder_;
  std::string store_ = (folder_ / "s.db").string();
  std::string claims_;
};

TEST_F(EvaluateVerbsTest, HelpOpensWithAnExample) {
  for (const char* verb : {"evaluate", "sweep", "score"})
    EXPECT_TRUE(run_program({verb, "--help"}).out.starts_with("Examples:\n")) << verb;
}

TEST_F(EvaluateVerbsTest, EvaluateGivesFiguresForEveryLevel) {
  const Outcome outcome = run("evaluate", {"--claims", claims_, "--k1", "3", "--z", "3", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json figures = json::parse(outcome.out);
  EXPECT_EQ(figures["claims"], 3);
  EXPECT_EQ(figures["with_gold"], 2);
  // Both pages are short enough for level 1 and 2 to keep them whole.
  EXPECT_EQ(figures["level1"]["complete"], 100.0);
  EXPECT_EQ(figures["level2"]["complete"], 100.0);
  EXPECT_EQ(figures["oracle"]["accuracy"], 100.0);
  EXPECT_NEAR(figures["accuracy"].get<double>(), figures["fever_score"].get<double>(), 1e-9);
  EXPECT_EQ(figures["distances"]["level2"]["all"]["count"], 3);
  const Outcome readable = run("evaluate", {"--claims", claims_});
  EXPECT_TRUE(readable.out.starts_with("| | 3 claims |\n")) << readable.out;
}

TEST_F(EvaluateVerbsTest, ASweepsCellsAreWhatEvaluateGives) {
  const Outcome outcome =
      run("sweep", {"--claims", claims_, "--k1", "1,3", "--z", "1,2", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json cells = json::parse(outcome.out)["cells"];
  ASSERT_EQ(cells.size(), 4u);
  for (const json& cell : cells) {
    const json figures =
        json::parse(run("evaluate", {"--claims", claims_, "--json", "--no-baseline", "--k1",
                                     cell["k1"].dump(), "--z", cell["z"].dump()})
                        .out);
    for (const char* name : {"accuracy", "fever_score", "precision", "recall"})
      EXPECT_EQ(cell[name], figures[name]) << cell.dump() << name;
    EXPECT_EQ(cell["within_level1"], figures["oracle"]["within_level1"]) << cell.dump();
    EXPECT_EQ(cell["within_level2"], figures["oracle"]["within_level2"]) << cell.dump();
  }
}

TEST_F(EvaluateVerbsTest, SymmetricSets) {
  const auto set = folder_.write(
      "sym.jsonl",
      R"({"id": "1", "claim": "The Moon is round .", "evidence": "It is round .", "label": "SUPPORTS"})"
      "\n"
      R"({"id": "10000002", "claim": "The Moon is round .", "evidence": "It is flat .", "label": "REFUTES"})"
      "\n");
  const Outcome outcome = run("evaluate", {"--symmetric", set, "--gold", claims_, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json figures = json::parse(outcome.out);
  EXPECT_EQ(figures["claims"], 2);
  EXPECT_EQ(figures["changed"]["claims"], 1);
  EXPECT_EQ(figures["found_by_gold"], 1);
  EXPECT_EQ(figures["confusion"]["SUPPORTS"]["NOT ENOUGH INFO"], 0);
  EXPECT_EQ(figures["confusion"]["REFUTES"]["NOT ENOUGH INFO"], 0);
}

TEST_F(EvaluateVerbsTest, PairsNeedNoStore) {
  const std::string rows =
      R"({"claim": "The Moon is round.", "evidence": "It is round.", "label": "SUPPORTS", )"
      R"("source": "a"})"
      "\n"
      R"({"claim": "The Moon is flat.", "evidence": ["It is round.", "It is cold."], )"
      R"("title": "Moon", "label": "REFUTES", "source": "b", "kind": "antonym"})"
      "\n"
      R"({"claim": "The Moon is old.", "evidence": ["It is round."], "label": "NOT ENOUGH INFO"})"
      "\n";
  const auto evaluate = [&](const std::string& file, std::vector<std::string> more) {
    more.insert(more.begin(), {"evaluate", "--pairs", file, "--model",
                               test::fixture("golden_model_v1").string()});
    return run_program(more);
  };
  const auto file = folder_.write("p.jsonl", rows);
  const Outcome outcome = evaluate(file, {"--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json figures = json::parse(outcome.out);
  EXPECT_EQ(figures["claims"], 3);
  EXPECT_EQ(figures["sentences"], 4);
  EXPECT_EQ(figures["sources"]["a"]["claims"], 1);
  EXPECT_EQ(figures["kinds"]["antonym"]["claims"], 1);
  EXPECT_TRUE(figures["trust"]["risk_coverage"].contains("margin"));

  // Packed, the same.
  const auto packed = folder_.write("p.jsonl.xz", test::packed(".xz", rows));
  EXPECT_EQ(evaluate(packed, {"--json"}).out, outcome.out);
  const auto cut_off = folder_.write("c.jsonl.xz", test::packed(".xz", rows).substr(0, 150));
  const Outcome refused = evaluate(cut_off, {"--json"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("c.jsonl.xz: the xz data is damaged or cut off"), std::string::npos)
      << refused.err;

  const json two = json::parse(evaluate(file, {"--two-class", "--json"}).out);
  EXPECT_EQ(two["left_out"], 1);
  EXPECT_EQ(two["claims"], 2);
  EXPECT_EQ(two["confusion"]["REFUTES"]["NOT ENOUGH INFO"], 0);
  EXPECT_EQ(json::parse(evaluate(file, {"--limit", "1", "--json"}).out)["claims"], 1);
  EXPECT_TRUE(evaluate(file, {}).out.starts_with("| | claims | accuracy | always SUPPORTS |"));

  // Only pairs do without a store.
  EXPECT_EQ(run_program({"evaluate", "--claims", claims_, "--model",
                         test::fixture("golden_model_v1").string()})
                .code,
            2);
  EXPECT_EQ(evaluate("-", {}).code, 2);
}

TEST_F(EvaluateVerbsTest, PackedClaimsAreTheSameClaims) {
  std::ifstream in(claims_);
  const std::string rows{std::istreambuf_iterator<char>(in), {}};
  const auto packed = folder_.write("claims.jsonl.zst", test::packed(".zst", rows));
  const auto accuracy = [&](const std::string& file) {
    json figures = json::parse(run("evaluate", {"--claims", file, "--json"}).out);
    figures.erase("seconds");
    return figures;
  };
  EXPECT_EQ(accuracy(packed), accuracy(claims_));
}

TEST_F(EvaluateVerbsTest, WhatMakesNoSenseIsRefusedAndNothingIsPrinted) {
  const auto unlabelled = folder_.write("u.jsonl", "{\"id\": 1, \"claim\": \"The Moon.\"}\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"--claims", unlabelled},
                                             {"--claims", claims_, "--symmetric", claims_},
                                             {"--claims", claims_, "--pairs", claims_},
                                             {"--pairs", claims_},
                                             {"--claims", claims_, "--gold", claims_},
                                             {"--symmetric", claims_},
                                             {"--claims", claims_, "--k1", "0"},
                                             {"--claims", claims_, "--z", "20000"},
                                             {"--claims", "-"}}) {
    const Outcome outcome = run("evaluate", arguments);
    EXPECT_NE(outcome.code, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err, "");
  }
  EXPECT_EQ(run("sweep", {"--claims", claims_, "--k1", "3,0"}).code, 2);
  EXPECT_EQ(run("sweep", {"--claims", unlabelled}).code, 1);
}

}  // namespace
}  // namespace memmatch
