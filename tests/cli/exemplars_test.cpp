#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "memmatch/exemplars.h"
#include "process.h"
#include "search/search_world.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

class ExemplarVerbsTest : public testing::Test {
 protected:
  void SetUp() override {
    Datastore store = Datastore::open(store_, Datastore::Access::create);
    test::import_all(store, test::random_documents(40, 1));
  }

  // A verb with the database behind it, and the store and model where it searches.
  Outcome run(std::vector<std::string> arguments, bool searches = true) const {
    arguments.insert(arguments.end(), {"--exemplars", exemplars_});
    if (searches) {
      arguments.insert(arguments.end(),
                       {"--store", store_, "--model", model_, "--k1", "5", "--z", "2"});
    }
    return run_program(arguments);
  }

  std::string write_claims(int count) const {
    static constexpr const char* kLabels[] = {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"};
    std::string lines;
    int id = 0;
    for (const std::string& claim : test::random_claims(count, 3)) {
      const json sentence = {1, 1, "0", 0};
      lines += json{{"id", id},
                    {"claim", claim},
                    {"label", kLabels[id % 3]},
                    {"evidence", {{sentence}, {sentence}}}}
                   .dump() +
               "\n";
      ++id;
    }
    return folder_.write("claims.jsonl", lines);
  }

  // Three groups of a parent and its three changes.
  std::string write_symmetric() const {
    std::string lines;
    Random random(8);
    for (int parent = 1; parent <= 12; ++parent) {
      const std::string id = std::to_string(parent);
      const std::string claim = test::random_sentence(random, 5);
      const std::string evidence = test::random_sentence(random, 7);
      const std::string other_claim = test::random_sentence(random, 5);
      const std::string other_evidence = test::random_sentence(random, 7);
      const auto add = [&](const char* ending, const std::string& c, const std::string& e,
                           const char* label) {
        lines += json{{"id", id + ending}, {"claim", c}, {"evidence", e}, {"label", label}}.dump() +
                 "\n";
      };
      add("", claim, evidence, "SUPPORTS");
      add("0000002", claim, other_evidence, "REFUTES");
      add("0000003", other_claim, evidence, "REFUTES");
      add("0000004", other_claim, other_evidence, "SUPPORTS");
    }
    return folder_.write("symmetric.jsonl", lines);
  }

  void build(const std::string& claims, const std::string& tag,
             const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command{"exemplars", "build", "--claims", claims, "--tag", tag};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = run(command);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  TemporaryFolder folder_;
  std::string store_ = folder_ / "s.db";
  std::string exemplars_ = folder_ / "e.db";
  std::string model_ = test::small_model(folder_);
};

TEST_F(ExemplarVerbsTest, BuildListRelabelRemove) {
  build(write_claims(20), "train");
  EXPECT_EQ(run({"exemplars", "check"}, false).code, 0);
  const std::vector<json> all = lines_of(run({"exemplars", "list", "--json"}, false).out);
  ASSERT_EQ(all.size(), 20u);
  EXPECT_EQ(all[2]["gold_label"], "NOT ENOUGH INFO");
  EXPECT_EQ(all[0]["evidence"].size(), 2u);
  EXPECT_EQ(lines_of(run({"exemplars", "list", "--json", "--gold", "refutes"}, false).out).size(),
            7u);
  const json relabelled =
      json::parse(run({"exemplars", "relabel", "3", "--label", "REFUTES", "--json"}, false).out);
  EXPECT_EQ(relabelled["gold_label"], "REFUTES");
  EXPECT_EQ(relabelled["first_gold_label"], "NOT ENOUGH INFO");
  EXPECT_EQ(run({"exemplars", "remove", "4", "5"}, false).code, 0);
  const json source = json::parse(run({"exemplars", "list", "--sources", "--json"}, false).out);
  EXPECT_EQ(source["exemplars"], 18);
  EXPECT_EQ(source["relabelled"], 1);
  EXPECT_EQ(source["setting"].get<std::string>().find(folder_ / ""), std::string::npos);
  EXPECT_EQ(run({"exemplars", "remove", "--tag", "train"}, false).code, 0);
  EXPECT_EQ(run({"exemplars", "list"}, false).out, "");
}

TEST_F(ExemplarVerbsTest, ASampleIsSmallAndTheSameEachTime) {
  const std::string claims = write_claims(60);
  build(claims, "a", {"--sample", "10"});
  build(claims, "b", {"--sample", "10"});
  build(claims, "c", {"--sample", "10", "--seed", "2"});
  build(claims, "d", {"--limit", "10"});
  const auto texts = [&](const char* tag) {
    std::vector<std::string> all;
    for (const json& line : lines_of(run({"exemplars", "list", "--json", "--tag", tag}, false).out))
      all.push_back(line["claim"]);
    return all;
  };
  EXPECT_EQ(texts("a").size(), 10u);
  EXPECT_EQ(texts("a"), texts("b"));
  EXPECT_NE(texts("a"), texts("c"));
  EXPECT_EQ(texts("d").size(), 10u);
}

TEST_F(ExemplarVerbsTest, GoldEvidenceGivesAnExemplarForEachSentence) {
  build(write_claims(9), "gold", {"--evidence", "gold", "--two-class"});
  const std::vector<json> all = lines_of(run({"exemplars", "list", "--json"}, false).out);
  ASSERT_EQ(all.size(), 6u);  // unverifiable claims have no evidence; equal sentences count once
  EXPECT_EQ(all[0]["evidence"].size(), 1u);
  EXPECT_EQ(all[0]["evidence"][0]["raw_title"], "0");
}

TEST_F(ExemplarVerbsTest, AuditShowsTheClaimsOwnExemplarFirst) {
  build(write_claims(20), "train");
  const std::string claim = test::random_claims(20, 3)[6];
  const Outcome readable = run({"exemplars", "audit", claim});
  EXPECT_EQ(readable.code, 0) << readable.err;
  EXPECT_NE(readable.out.find("exemplar 7 of 'train'"), std::string::npos) << readable.out;
  const json verdict = json::parse(run({"exemplars", "audit", claim, "--json"}).out);
  EXPECT_EQ(verdict["exemplars"]["nearest"].size(), 3u);
  EXPECT_EQ(verdict["exemplars"]["nearest"][0]["id"], 7);
  EXPECT_LT(verdict["exemplars"]["nearest"][0]["distance"], 1e-4);
}

TEST_F(ExemplarVerbsTest, RelabellingAnExemplarChangesTheVerdictThatDependsOnIt) {
  build(write_claims(20), "train");
  const std::string claim = test::random_claims(20, 3)[6];
  const auto verify = [&] {
    const Outcome outcome = run({"verify", claim, "--json", "--exa-tp"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out);
  };
  const std::string label = verify()["label"];
  run({"exemplars", "relabel", "7", "--label", label}, false);
  EXPECT_TRUE(verify()["exemplars"]["admitted"]);
  run({"exemplars", "relabel", "7", "--label", label == "REFUTES" ? "SUPPORTS" : "REFUTES"}, false);
  EXPECT_FALSE(verify()["exemplars"]["admitted"]);
  const Outcome readable = run({"verify", claim, "--exa-tp"});
  EXPECT_NE(readable.out.find("not admitted"), std::string::npos) << readable.out;
}

TEST_F(ExemplarVerbsTest, ACorrectionDecidesOnAnEditedFact) {
  build(write_claims(20), "train");
  const std::string claim = test::random_claims(20, 3)[6];
  const json before = json::parse(run({"verify", claim, "--json"}).out);
  const json top = before["evidence"][0];
  run_program({"store", "edit", "--store", store_, "--title", top["raw_title"], "--number",
               std::to_string(top["number"].get<int>()), top["text"].get<std::string>() + " old"});
  const json edited = json::parse(run({"verify", claim, "--json"}).out);
  ASSERT_TRUE(edited["evidence"][0]["edited"]);
  const std::string wrong = edited["label"];
  const std::string right = wrong == "REFUTES" ? "SUPPORTS" : "REFUTES";
  const Outcome added =
      run({"exemplars", "add", claim, "--label", right, "--tag", "corrections", "--json"});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(json::parse(added.out)["predicted_label"], wrong);
  const json after =
      json::parse(run({"verify", claim, "--json", "--exa-update", "corrections"}).out);
  EXPECT_EQ(after["label"], right);
  EXPECT_EQ(after["exemplars"]["model_label"], wrong);
}

TEST_F(ExemplarVerbsTest, PredictionsSayWhetherTheyAreAdmitted) {
  const std::string claims = write_claims(20);
  build(claims, "train");
  const std::string out = folder_ / "p.jsonl";
  ASSERT_EQ(run({"predict", "--claims", claims, "--out", out, "--exa-tp"}).code, 0);
  int admitted = 0;
  for (const json& line : lines_of(read_file(out))) admitted += line["admitted"].get<bool>();
  EXPECT_GT(admitted, 0);
  EXPECT_LT(admitted, 20);
}

TEST_F(ExemplarVerbsTest, SymmetricSetsGiveThePapersTables) {
  build(write_claims(40), "train");
  const std::string symmetric = write_symmetric();
  build(symmetric, "sym", {"--evidence", "given", "--two-class", "--sample", "12"});
  const std::string curve = folder_ / "curve.tsv";
  const Outcome outcome = run(
      {"evaluate", "--symmetric", symmetric, "--exa-update", "sym", "--json", "--curve", curve});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["disagreeing_ids"], 0);
  const json modes = report["trust"]["modes"];
  ASSERT_EQ(modes.size(), 3u);  // no calibration, so no +dist
  EXPECT_EQ(modes[0]["name"], "base");
  EXPECT_EQ(modes[0]["claims"], 48);
  EXPECT_EQ(modes[0]["changed"]["claims"], 24);
  EXPECT_EQ(modes[1]["name"], "+ExA_tp");
  EXPECT_EQ(modes[1]["claims"], report["trust"]["cut_off"]["exemplar"].back()[1]);
  EXPECT_EQ(modes[2]["name"], "+ExA_update");
  EXPECT_EQ(modes[2]["unchanged"]["right"], modes[0]["unchanged"]["right"]);
  EXPECT_EQ(report["accuracy"].get<double>(), modes[0]["accuracy"].get<double>());
  EXPECT_TRUE(read_file(curve).starts_with("distance\tclaims\taccuracy\n"));
  const Outcome readable = run({"evaluate", "--symmetric", symmetric, "--exa-update", "sym"});
  EXPECT_NE(readable.out.find("| +ExA_update |"), std::string::npos) << readable.out;
}

TEST_F(ExemplarVerbsTest, WrongUsageIsRefused) {
  const std::string claims = write_claims(3);
  EXPECT_EQ(run({"verify", "a claim"}).code, 1);  // no such database
  build(claims, "train");
  EXPECT_EQ(run({"exemplars", "relabel", "1", "--label", "MAYBE"}, false).code, 2);
  EXPECT_EQ(run({"exemplars", "relabel", "99", "--label", "REFUTES"}, false).code, 1);
  EXPECT_EQ(run({"exemplars", "remove"}, false).code, 2);
  EXPECT_EQ(run({"exemplars", "build", "--claims", claims, "--tag", "train", "--limit", "2"}).code,
            1);
  EXPECT_EQ(run({"verify", "a claim", "--exa-update", "none"}).code, 1);
  const Outcome other = run_program({"verify", "a claim", "--exemplars", exemplars_, "--store",
                                     store_, "--model", test::small_model(folder_, 5)});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("of another model or precision"), std::string::npos) << other.err;
}

}  // namespace
}  // namespace memmatch
