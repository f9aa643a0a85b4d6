#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "memmatch/datastore.h"
#include "packed.h"
#include "process.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

class VerbsTest : public testing::Test {
 protected:
  void SetUp() override {
    store_ = (folder_ / "s.db").string();
    const auto corpus = folder_.write(
        "corpus.jsonl",
        R"({"title": "Moon", "sentences": ["The Moon orbits the Earth.", "It is round."]})"
        "\n"
        R"({"title": "Earth", "sentences": ["The Earth is a planet."]})"
        "\n");
    ASSERT_EQ(run_program({"import", "jsonl", corpus, "--store", store_}).code, 0);
  }

  TemporaryFolder folder_;
  std::string store_;
};

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

TEST_F(VerbsTest, EveryVerbHasHelpThatOpensWithAnExample) {
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{},
                                             {"import"},
                                             {"cover"},
                                             {"tokenize"},
                                             {"pairs"},
                                             {"store"},
                                             {"store", "add"},
                                             {"store", "edit"},
                                             {"store", "delete"},
                                             {"store", "show"},
                                             {"store", "stats"},
                                             {"store", "check"},
                                             {"store", "export"}}) {
    std::vector<std::string> arguments = verb;
    arguments.push_back("--help");
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(outcome.out.starts_with("Examples:\n")) << outcome.out;
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(VerbsTest, WrongUsageIsExitCodeTwo) {
  EXPECT_EQ(run_program({}).code, 2);
  EXPECT_EQ(run_program({"conjure"}).code, 2);
  EXPECT_EQ(run_program({"import", "text", ".", ".", "--store", store_}).code, 2);
  EXPECT_EQ(run_program({"cover", "--store", store_}).code, 2);
  EXPECT_EQ(run_program({"cover", "", "--store", store_}).code, 2);
  EXPECT_EQ(run_program({"tokenize"}).code, 2);
  EXPECT_EQ(
      run_program({"store", "edit", "--store", store_, "--title", "Moon", "--number", "-3", "x"})
          .code,
      2);
}

TEST_F(VerbsTest, WhatIsWrongIsNamedAndTheNearestSuggested) {
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with(message + "\n")) << outcome.err;
  };
  expect({"verfy", "a claim"}, "memmatch: there is no verb 'verfy'; did you mean 'verify'?");
  expect({"xyz"}, "memmatch: there is no verb 'xyz'");
  expect({"store", "shwo"}, "memmatch store: there is no verb 'shwo'; did you mean 'show'?");
  expect({"verify", "a", "--store", store_, "--modle", "m"},
         "memmatch verify: there is no option '--modle'; did you mean '--model'?");
  expect({"verify", "a", "--store=" + store_, "--modle=m", "--k1", "5"},
         "memmatch verify: there is no option '--modle'; did you mean '--model'?");
  expect({"store", "show", "--store", store_, "-title", "Moon"},
         "memmatch store show: there is no option '-title'; did you mean '--title'?");
  expect({"embed", "-"}, "memmatch embed: --model is required");
  expect({"store", "edit", "--store", store_, "--title", "Moon", "--number", "-1", "x"},
         "memmatch store edit: --number: must be a whole number from 0 to 2147483647, not '-1'");
  expect({"verify", "a", "--store", store_, "--model", "m", "--precision", "fp16"},
         "memmatch verify: --precision: must be fp32 or int8, not 'fp16'");
  expect({"verify", "a", "--store", store_, "--model", "m", "--k1", "many"},
         "memmatch verify: --k1: must be a whole number from 1 to 10000, not 'many'");
  expect({"cover", "-", "--input", "tsv", "--store", store_},
         "memmatch cover: --input: must be jsonl or text, not 'tsv'");
  EXPECT_NE(run_program({"store"}).err.find("memmatch store: a verb is missing: add, edit, "),
            std::string::npos);
}

TEST_F(VerbsTest, TheNearestTitleIsSuggested) {
  const auto message = [&](const std::string& title) {
    const Outcome outcome = run_program({"store", "show", "--store", store_, "--title", title});
    EXPECT_EQ(outcome.code, 1);
    return outcome.err;
  };
  EXPECT_NE(message("Earht").find("; did you mean 'Earth'?"), std::string::npos);
  EXPECT_NE(message("MOOON").find("; did you mean 'Moon'?"), std::string::npos);
  EXPECT_EQ(message("Jupiter").find("did you mean"), std::string::npos);
  EXPECT_EQ(message("Ä").find("did you mean"), std::string::npos);
  const Outcome edit = run_program(
      {"store", "edit", "--store", store_, "--title", "Erth", "--number", "0", "Flat."});
  EXPECT_NE(edit.err.find("; did you mean 'Earth'?"), std::string::npos) << edit.err;
  const Outcome number =
      run_program({"store", "show", "--store", store_, "--title", "Moon", "--number", "7"});
  EXPECT_EQ(number.err.find("did you mean"), std::string::npos) << number.err;
}

// Processes tell each other by locks on the file that they have it open. The last one removes the
// log; if it takes itself for the last one by mistake, what others write is lost.
TEST_F(VerbsTest, AProgramThatEndsLeavesOthersTheirLog) {
  Datastore first = Datastore::open(store_, Datastore::Access::write);
  first.stats();
  Datastore::open(store_, Datastore::Access::read).stats();  // comes and goes in this process
  const auto edit = [&](const std::string& title, const std::string& text) {
    return run_program(
        {"store", "edit", "--store", store_, "--title", title, "--number", "0", text});
  };
  EXPECT_EQ(edit("Earth", "Theirs.").code, 0);
  first.edit_sentence("Moon", 0, "Ours.");
  const auto show = [&](const std::string& title) {
    return run_program({"store", "show", "--store", store_, "--title", title}).out;
  };
  EXPECT_NE(show("Moon").find("Ours."), std::string::npos);
  EXPECT_NE(show("Earth").find("Theirs."), std::string::npos);
  EXPECT_EQ(first.check(), std::vector<std::string>{});
}

TEST_F(VerbsTest, FailureIsExitCodeOneAndSaysWhy) {
  const Outcome outcome =
      run_program({"cover", "The Moon", "--store", (folder_ / "none.db").string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("none.db: there is no such datastore"), std::string::npos)
      << outcome.err;
}

TEST_F(VerbsTest, ABadLineStopsTheImportAndNothingIsWritten) {
  const auto bad = folder_.write(
      "bad.jsonl", "{\"title\": \"Mars\", \"sentences\": [\"Red.\"]}\n{\"title\": 5}\n");
  const Outcome outcome = run_program({"import", "jsonl", bad, "--store", store_});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("bad.jsonl:2: 'title' must be a string"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(run_program({"store", "show", "--store", store_, "--title", "Mars"}).code, 1);
}

TEST_F(VerbsTest, BadLinesCanBeSkipped) {
  const auto bad = folder_.write("bad.jsonl",
                                 "{\"title\": \"Mars\", \"sentences\": [\"Red.\"]}\nnonsense\n"
                                 "{\"title\": \"Mars\", \"sentences\": [\"Twice.\"]}\n");
  const Outcome outcome =
      run_program({"import", "jsonl", bad, "--store", store_, "--skip-bad-lines", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json_lines(outcome.out).at(0)["bad_lines"], 2);
  EXPECT_EQ(json_lines(outcome.out).at(0)["new_documents"], 1);
  EXPECT_NE(outcome.err.find("bad.jsonl:3: the title 'Mars' occurs twice"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("2 bad lines were left out"), std::string::npos) << outcome.err;
}

TEST_F(VerbsTest, CoverShowsTitlesAndSentences) {
  const Outcome outcome = run_program({"cover", "Is the moon round?", "--store", store_, "--json"});
  const json cover = json_lines(outcome.out).at(0);
  EXPECT_EQ(cover["titles"][0]["title"], "Moon");
  ASSERT_EQ(cover["sentences"].size(), 2u);
  EXPECT_EQ(cover["sentences"][1]["text"], "It is round.");
  const std::string readable = run_program({"cover", "Is the moon round?", "--store", store_}).out;
  EXPECT_NE(readable.find("titles: 1, candidate sentences: 2"), std::string::npos) << readable;
}

TEST_F(VerbsTest, TextsComeAsLinesOrAsJson) {
  const Outcome lines =
      run_program({"cover", "-", "--store", store_, "--json"}, "The Moon\nThe Earth\n");
  EXPECT_EQ(json_lines(lines.out).size(), 2u);
  const Outcome objects =
      run_program({"cover", "-", "--store", store_, "--json", "--input", "jsonl"},
                  "{\"text\": \"The Moon\"}\n{\"text\": \"The\\nEarth\"}\n");
  EXPECT_EQ(json_lines(objects.out).at(1)["claim"], "The Earth");
  const Outcome bad =
      run_program({"cover", "-", "--store", store_, "--input", "jsonl"}, "{\"txt\": \"x\"}\n");
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.err.find("standard input:1: field 'text' is missing"), std::string::npos)
      << bad.err;
}

TEST_F(VerbsTest, StandardInputMayBePacked) {
  const std::vector<std::string> verb{"cover", "-", "--store", store_, "--json"};
  for (const char* packing : {".gz", ".xz", ".zst"}) {
    const std::string bytes = test::packed(packing, "The Moon\nThe Earth\n");
    const Outcome whole = run_program(verb, bytes);
    ASSERT_EQ(whole.code, 0) << whole.err;
    EXPECT_EQ(json_lines(whole.out).size(), 2u) << packing;
    const Outcome cut_off = run_program(verb, bytes.substr(0, bytes.size() - 1));
    EXPECT_EQ(cut_off.code, 1);
    EXPECT_TRUE(cut_off.err.starts_with("memmatch: standard input: the ")) << cut_off.err;
  }
}

TEST_F(VerbsTest, CoverOfAClaimFile) {
  const auto claims = folder_.write(
      "claims.jsonl", R"({"id": 1, "label": "SUPPORTS", "claim": "The Moon is round.", )"
                      R"("evidence": [[[1, 1, "Moon", 1]]]})"
                      "\n"
                      R"({"id": 2, "claim": "Nothing."})"
                      "\n");
  const Outcome outcome = run_program({"cover", "--claims", claims, "--store", store_, "--json"});
  const json figures = json_lines(outcome.out).at(0);
  EXPECT_EQ(figures["claims"], 2);
  EXPECT_EQ(figures["verifiable"], 1);
  EXPECT_EQ(figures["titles_per_claim"], 0.5);
  EXPECT_EQ(figures["full_gold_set"], 100.0);
  EXPECT_EQ(figures["without_candidates"], 1);
}

TEST_F(VerbsTest, FactsCanBeEdited) {
  EXPECT_EQ(run_program({"store", "edit", "--store", store_, "--title", "Moon", "--number", "1",
                         "It is flat."})
                .code,
            0);
  EXPECT_EQ(
      run_program({"store", "add", "--store", store_, "--title", "Moon", "-"}, "One.\nTwo.\n").code,
      0);
  EXPECT_EQ(
      run_program({"store", "delete", "--store", store_, "--title", "Moon", "--number", "2"}).code,
      0);
  const auto shown = json_lines(
      run_program({"store", "show", "--store", store_, "--title", "Moon", "--json"}).out);
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[1]["text"], "It is flat.");
  EXPECT_EQ(shown[1]["edited"], true);
  EXPECT_EQ(shown[1]["history"].size(), 1u);
  EXPECT_EQ(shown[2]["number"], 3);
  const json stats =
      json_lines(run_program({"store", "stats", "--store", store_, "--json"}).out).at(0);
  EXPECT_EQ(stats["sentences"], 4);
  EXPECT_EQ(run_program({"store", "check", "--store", store_}).code, 0);
}

TEST_F(VerbsTest, ExportAndImportGiveTheSameStore) {
  run_program({"store", "add", "--store", store_, "--title", "Bones_-LRB-TV-RRB-", "--number", "4",
               "A \"series\"."});
  const std::string exported = run_program({"store", "export", "--store", store_}).out;
  const auto file = folder_.write("export.jsonl", exported);
  const std::string copy = (folder_ / "copy.db").string();
  ASSERT_EQ(run_program({"import", "jsonl", file, "--store", copy}).code, 0);
  EXPECT_EQ(run_program({"store", "export", "--store", copy}).out, exported);
  EXPECT_EQ(
      run_program({"store", "export", "--store", copy, "--out", (folder_ / "x.jsonl").string()})
          .code,
      0);
  EXPECT_EQ(read_file(folder_ / "x.jsonl"), exported);
}

TEST_F(VerbsTest, CheckFindsDamageAndFails) {
  std::string bytes = read_file(store_);
  bytes[bytes.find("It is round.")] = 'X';
  folder_.write("s.db", bytes);
  const Outcome outcome = run_program({"store", "check", "--store", store_});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("content hash differs"), std::string::npos) << outcome.out;
}

TEST_F(VerbsTest, TokenizeGivesIdsPiecesAndOffsets) {
  const auto vocab = folder_.write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\nThe\nMoon\n##s\n.\n");
  const Outcome plain = run_program({"tokenize", "--vocab", vocab}, "The Moons.\n\n");
  EXPECT_EQ(plain.out, "3 4 5 6\tThe Moon ##s .\t0-3 4-8 8-9 9-10\n\t\t\n") << plain.err;
  const Outcome outcome =
      run_program({"tokenize", "--vocab", vocab, "--json", "--special"}, "The\n");
  const json pieces = json_lines(outcome.out).at(0);
  EXPECT_EQ(pieces["ids"], (json{1, 3, 2}));
  EXPECT_EQ(pieces["offsets"], json::parse("[[0,0],[0,3],[3,3]]"));
}

TEST_F(VerbsTest, PairsAreMadeFromClaimsAndTheirEvidence) {
  const std::string demo = MEMMATCH_SOURCE_DIR "/examples/demo/";
  const std::string facts = folder_ / "facts.db";
  ASSERT_EQ(run_program({"import", "jsonl", demo + "corpus.jsonl", "--store", facts}).code, 0);
  const auto pairs = [&](const std::string& claims, const std::string& out) {
    return run_program({"pairs", "--claims", claims, "--store", facts, "--out", out});
  };
  const Outcome outcome = pairs(demo + "claims.jsonl", "-");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(" pairs, "), std::string::npos) << outcome.err;
  std::set<std::string> labels;
  for (const json& line : json_lines(outcome.out)) labels.insert(line["label"]);
  EXPECT_EQ(labels, (std::set<std::string>{"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}));
  const std::string none = folder_ / "pairs.jsonl";
  const std::string unlabelled = folder_.write("unlabelled.jsonl", "{\"claim\": \"A is b.\"}\n");
  EXPECT_NE(pairs(unlabelled, none).err.find("unlabelled.jsonl:1"), std::string::npos);
  const std::string without = folder_.write(
      "without.jsonl", R"({"claim": "A is b.", "label": "NOT ENOUGH INFO", "evidence": []})"
                       "\n");
  const Outcome nothing = pairs(without, none);
  EXPECT_EQ(nothing.code, 1);
  EXPECT_NE(nothing.err.find("without.jsonl: no supported claim"), std::string::npos)
      << nothing.err;
  EXPECT_FALSE(std::filesystem::exists(none));
}

TEST_F(VerbsTest, AFullDiskIsNoticed) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(MEMMATCH_PROGRAM, MEMMATCH_PROGRAM, "store", "export", "--store", store_.c_str(),
          nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

}  // namespace
}  // namespace memmatch
