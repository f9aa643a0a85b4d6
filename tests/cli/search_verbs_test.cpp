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

class SearchVerbsTest : public testing::Test {
 protected:
  void SetUp() override {
    Datastore store = Datastore::open(store_, Datastore::Access::create);
    test::import_all(store, test::random_documents(40, 1));
  }

  // The verb with the store and model behind it.
  Outcome run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.end(), {"--store", store_, "--model", model_});
    return run_program(arguments, input);
  }

  std::string write_claims(int count) {
    std::string lines;
    int id = 0;
    for (const std::string& claim : test::random_claims(count, 3)) {
      lines += json{{"id", id++},
                    {"claim", claim},
                    {"label", "REFUTES"},
                    {"evidence", {{{1, 1, "0", 0}}}}}
                   .dump() +
               "\n";
    }
    return folder_.write("claims.jsonl", lines);
  }

  TemporaryFolder folder_;
  std::string store_ = folder_ / "s.db";
  std::string model_ = test::small_model(folder_);
};

TEST_F(SearchVerbsTest, VerifyForPeopleAndPrograms) {
  const Outcome readable = run({"verify", "The moon is old.", "--k1", "5", "--z", "2"});
  EXPECT_EQ(readable.code, 0) << readable.err;
  EXPECT_NE(readable.out.find("The moon is old."), std::string::npos);
  EXPECT_NE(readable.out.find("distances: supports "), std::string::npos) << readable.out;
  const Outcome outcome =
      run({"verify", "-", "--json", "--input", "jsonl", "--explain"}, "{\"text\": \"The moon\"}\n");
  const json verdict = json::parse(outcome.out);
  EXPECT_EQ(verdict["claim"], "The moon");
  EXPECT_TRUE(verdict["beams"]["level1"].is_array());
}

TEST_F(SearchVerbsTest, AStoreBeyondTheMemoryLimitIsNotSearchedAsAWhole) {
  ASSERT_EQ(run({"index"}).code, 0);
  const Outcome unnamed = run({"verify", "Something else entirely", "--memory-limit", "1KB"});
  EXPECT_EQ(unnamed.code, 0) << unnamed.err;
  EXPECT_NE(unnamed.out.find(
                "note: no sentence shares a word with the claim; the whole datastore cannot be"),
            std::string::npos)
      << unnamed.out;
  const Outcome all =
      run({"verify", "The moon is old.", "--candidates", "all", "--memory-limit", "1KB"});
  EXPECT_EQ(all.code, 2);
  EXPECT_NE(all.err.find("1024 are allowed"), std::string::npos) << all.err;
  EXPECT_EQ(
      run({"verify", "The moon is old.", "--candidates", "all", "--memory-limit", "1MB"}).code, 0);
  EXPECT_EQ(run({"verify", "The moon is old.", "--memory-limit", "much"}).code, 2);
}

TEST_F(SearchVerbsTest, IndexIsSaidToBeDone) {
  const Outcome outcome = run({"index", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["missing"], 0);
  EXPECT_EQ(json::parse(run({"index", "--json"}).out)["made"], 0);
}

TEST_F(SearchVerbsTest, AnEditWithAModelIsIndexedAtOnce) {
  run({"index"});
  EXPECT_EQ(run({"store", "edit", "--title", "0", "--number", "0", "the bird was old"}).code, 0);
  EXPECT_EQ(run({"store", "add", "--title", "0", "the bird was new"}).code, 0);
  EXPECT_EQ(json::parse(run({"index", "--json"}).out)["made"], 0);
}

TEST_F(SearchVerbsTest, PredictionsGoOnWhereTheyWereStopped) {
  const std::string claims = write_claims(700);
  const std::string out = folder_ / "p.jsonl";
  const std::vector<std::string> command{"predict", "--claims", claims, "--out", out,
                                         "--k1",    "5",        "--z",  "2",     "--store",
                                         store_,    "--model",  model_};
  ASSERT_EQ(run_program(command).code, 0);
  const std::string expected = read_file(out);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 700);
  std::filesystem::remove(out);
  // Killed as soon as it has written something, again and again, until it gets to its end; a run
  // that was never caught in the middle is begun anew.
  bool resumed = false;
  bool ended = false;
  for (int round = 0; round < 200 && !(resumed && ended); ++round) {
    if (ended) std::filesystem::remove(out);
    const TemporaryFolder output;
    const pid_t child = test::start_program(command, output);
    const Outcome outcome = test::kill_when_grown(child, out + ".partial", output);
    resumed |= outcome.err.find("going on after") != std::string::npos;
    ended = outcome.code == 0;
  }
  EXPECT_TRUE(resumed);
  EXPECT_TRUE(ended);
  EXPECT_EQ(read_file(out), expected);
  EXPECT_FALSE(std::filesystem::exists(out + ".partial"));
}

TEST_F(SearchVerbsTest, PredictionsOfAnotherSettingAreNotTakenUp) {
  const std::string claims = write_claims(3);
  const std::string out = folder_ / "p.jsonl";
  folder_.write("p.jsonl.partial", "{\"other\": 1}\nnonsense\n");
  const Outcome outcome = run({"predict", "--claims", claims, "--out", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string lines = read_file(out);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
  EXPECT_EQ(lines.find("nonsense"), std::string::npos);
}

TEST_F(SearchVerbsTest, TrecRunsOfLevels1And2) {
  const std::string claims = write_claims(5);
  const Outcome outcome = run({"predict", "--claims", claims, "--out", folder_ / "p.jsonl",
                               "--trec-run", folder_ / "runs"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(read_file(folder_ / "runs" / "level1.run").find(" Q0 "), std::string::npos);
  EXPECT_NE(read_file(folder_ / "runs" / "level2.run").find(" Q0 "), std::string::npos);
}

TEST_F(SearchVerbsTest, AnotherModelsIndexIsAnnounced) {
  run({"index"});
  const std::string other = test::small_model(folder_, 5);
  const Outcome outcome = run_program({"verify", "The moon", "--store", store_, "--model", other});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("is indexed with another model"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("memmatch index --store"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("--precision"), std::string::npos) << outcome.err;
}

TEST_F(SearchVerbsTest, AnIndexOfTheOtherPrecisionIsAnnounced) {
  run({"index"});
  const Outcome outcome = run({"verify", "The moon", "--precision", "int8"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("--precision int8' makes them all"), std::string::npos) << outcome.err;
}

TEST_F(SearchVerbsTest, ARunThatWasStoppedHasNoTrecRunsToGoOnWith) {
  const std::string claims = write_claims(700);
  const std::string out = folder_ / "p.jsonl";
  const std::string partial = out + ".partial";
  std::vector<std::string> command{"predict", "--claims", claims, "--out", out,
                                   "--k1",    "5",        "--z",  "2",     "--store",
                                   store_,    "--model",  model_};
  // Until it is killed with a prediction in the file, behind its first line.
  bool stopped = false;
  for (int round = 0; round < 200 && !stopped; ++round) {
    std::filesystem::remove(out);
    const TemporaryFolder output;
    test::kill_when_grown(test::start_program(command, output), partial, output);
    const std::string lines = std::filesystem::exists(partial) ? read_file(partial) : "";
    stopped = std::count(lines.begin(), lines.end(), '\n') > 1;
  }
  ASSERT_TRUE(stopped);
  command.insert(command.end(), {"--trec-run", folder_ / "runs"});
  const Outcome again = run_program(command);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("a run that was stopped, but not its TREC runs"), std::string::npos)
      << again.err;
  EXPECT_TRUE(std::filesystem::exists(partial));
}

TEST_F(SearchVerbsTest, NumbersBeyondTheirRangeAreRefusedBeforeAnythingIsRead) {
  const std::vector<std::vector<std::string>> cases{
      {"verify", "a claim", "--k1", "0"},
      {"verify", "a claim", "--k1", "-3"},
      {"verify", "a claim", "--k1", "100000"},
      {"verify", "a claim", "--z", "-1"},
      {"verify", "a claim", "--exemplars", "e", "--neighbours", "0"},
      {"verify", "a claim", "--exemplars", "e", "--exa-tp", "--exa-max-distance", "-1"},
      {"predict", "--claims", "none", "--out", "p", "--k1", "0"},
      {"evaluate", "--claims", "none", "--z", "-1"},
      {"evaluate", "--claims", "none", "--limit", "-1"},
      {"sweep", "--claims", "none", "--k1", "5,0"},
      {"sweep", "--claims", "none", "--limit", "1.5"},
      {"serve", "--k1", "0"},
      {"serve", "--k1", "-3"},
      {"serve", "--k1", "100000"},
      {"serve", "--z", "0"},
      {"serve", "--z", "-1"},
      {"serve", "--queue", "0"}};
  for (const auto& arguments : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0] << " " << arguments.back();
    EXPECT_NE(outcome.err.find("must be a "), std::string::npos) << outcome.err;
  }
}

TEST_F(SearchVerbsTest, WrongUsageIsRefused) {
  EXPECT_EQ(run({"verify"}).code, 2);
  EXPECT_EQ(run({"verify", ""}).code, 2);
  EXPECT_EQ(run({"verify", "a claim", "--k1", "0"}).code, 2);
  EXPECT_EQ(run({"verify", "a claim", "--z", "-4"}).code, 2);
  EXPECT_EQ(run_program({"verify", "a claim", "--store", store_, "--model", folder_ / "none"}).code,
            1);
  EXPECT_EQ(run({"predict", "--claims", folder_ / "none.jsonl", "--out", folder_ / "p.jsonl"}).code,
            1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "p.jsonl"));
}

}  // namespace
}  // namespace memmatch
