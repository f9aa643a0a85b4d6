#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "process.h"
#include "search/search_world.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

// Files to verify against, with a model that knows nothing: what is looked at is the way of the
// sentences, not what is said of them.
class AgainstFilesTest : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.end(), {"--model", model_});
    return run_program(arguments, input);
  }

  static std::vector<json> lines_of(const std::string& text) {
    std::vector<json> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      lines.push_back(json::parse(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return lines;
  }

  TemporaryFolder folder_;
  std::string model_ = test::small_model(folder_);
  std::string notes_ = folder_.write("notes.txt", "The king sings. The tower is old.\n");
};

TEST_F(AgainstFilesTest, VerifyTakesFilesFoldersAndStandardInput) {
  std::filesystem::create_directories(folder_ / "all" / "inner");
  folder_.write("all/a.txt", "The moon is red.\n");
  folder_.write("all/inner/a.txt", "The river is green.\n");
  folder_.write("all/picture.png", "x");
  const Outcome file = run({"verify", "The tower is red.", "--json", "--against", notes_});
  ASSERT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(json::parse(file.out)["evidence"][0]["text"], "The tower is old.") << file.out;
  const Outcome both =
      run({"verify", "The green river.", "--json", "--against", notes_, folder_ / "all"});
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(json::parse(both.out)["evidence"][0]["raw_title"],
            (folder_ / "all" / "inner" / "a.txt").string())
      << both.out;
  std::filesystem::create_directories(folder_ / "other");
  folder_.write("other/a.txt", "The sun is old.\n");
  const Outcome alike =
      run({"verify", "The sun.", "--json", "--against", folder_ / "all", folder_ / "other"});
  EXPECT_EQ(alike.code, 0) << "files of one name in two folders: " << alike.err;
  EXPECT_NE(both.err.find("left out, being no documents: 1 .png"), std::string::npos) << both.err;
  const Outcome piped =
      run({"verify", "A bird sings.", "--json", "--against", "-"}, "The bird is old.");
  ASSERT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(json::parse(piped.out)["evidence"][0]["text"], "The bird is old.");
}

TEST_F(AgainstFilesTest, VerifyTakesEvidence) {
  const Outcome given = run({"verify", "The moon is old.", "--json", "--evidence",
                             "The moon is red.", "It is cold. It is old."});
  ASSERT_EQ(given.code, 0) << given.err;
  const json verdict = json::parse(given.out);
  EXPECT_EQ(verdict["candidates"]["origin"], "given");
  EXPECT_EQ(verdict["evidence"].size(), 2u);
  EXPECT_EQ(run({"verify", "The moon is old.", "--evidence", " "}).code, 2);
}

TEST_F(AgainstFilesTest, OneOfThemMustBeNamedAndReadable) {
  EXPECT_EQ(run({"verify", "The moon is old."}).code, 2);
  EXPECT_EQ(run({"verify", "The moon is old.", "--evidence", "a b", "--against", notes_}).code, 2);
  EXPECT_EQ(run({"verify", "The moon is old.", "--against", folder_ / "none.txt"}).code, 1);
  std::filesystem::create_directories(folder_ / "empty");
  const Outcome empty = run({"verify", "The moon is old.", "--against", folder_ / "empty"});
  EXPECT_EQ(empty.code, 1);
  EXPECT_NE(empty.err.find("empty: there is no document in it"), std::string::npos) << empty.err;
  EXPECT_EQ(run({"verify", "The moon.", "--against", folder_.write("blank.txt", "\n")}).code, 2);
}

TEST_F(AgainstFilesTest, WhatIsNoStatementIsNotJudgedUnlessAsked) {
  const Outcome question = run({"verify", "Is the moon old?", "--against", notes_});
  EXPECT_EQ(question.code, 0) << question.err;
  EXPECT_NE(question.out.find("NOT JUDGED  Is the moon old?\n  it is a question"),
            std::string::npos)
      << question.out;
  const Outcome as_json = run({"verify", "claims.txt", "--json", "--against", notes_});
  EXPECT_EQ(json::parse(as_json.out)["not_judged"], "it looks like the name of a file");
  const Outcome asked =
      run({"verify", "Is the moon old?", "--any-text", "--json", "--against", notes_});
  EXPECT_TRUE(json::parse(asked.out).contains("label")) << asked.out;
}

TEST_F(AgainstFilesTest, CheckJudgesTheSentencesOfAText) {
  const std::string draft =
      folder_.write("draft.txt", "A heading\n\nThe king sings. Is it old? The tower was red.\n");
  const Outcome outcome = run({"check", draft, "--json", "--against", notes_});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<json> sentences = lines_of(outcome.out);
  ASSERT_EQ(sentences.size(), 4u) << outcome.out;
  EXPECT_EQ(sentences[0]["not_judged"], "it looks like a heading");
  EXPECT_EQ(sentences[1]["verdict"]["evidence"][0]["text"], "The king sings.");
  EXPECT_EQ(sentences[2]["not_judged"], "it is a question");
  EXPECT_EQ(sentences[3]["verdict"]["evidence"][0]["text"], "The tower is old.");
  const Outcome readable = run({"check", draft, "--against", notes_});
  EXPECT_NE(readable.out.find("4 sentences: "), std::string::npos) << readable.out;
  EXPECT_NE(readable.out.find("2 not judged"), std::string::npos) << readable.out;
}

TEST_F(AgainstFilesTest, CheckWritesAPageAndFailsOnALabel) {
  const std::string draft = folder_.write("draft.txt", "The king <sings>. The tower was red.\n");
  const std::string page = folder_ / "draft.html";
  ASSERT_EQ(run({"check", draft, "--html", page, "--against", notes_}).code, 0);
  const std::string html = read_file(page);
  EXPECT_NE(html.find("The king &lt;sings&gt;."), std::string::npos);
  EXPECT_EQ(html.find("<sings>"), std::string::npos);
  std::string label =
      lines_of(run({"check", draft, "--json", "--against", notes_}).out)[0]["verdict"]["label"];
  label = label == "SUPPORTS" ? "supports" : label == "REFUTES" ? "refutes" : "unverifiable";
  EXPECT_EQ(run({"check", draft, "--fail-on", label, "--against", notes_}).code, 1);
  EXPECT_EQ(run({"check", draft, "--fail-on", label + ":1", "--against", notes_}).code, 0)
      << "a model without a calibration has no confidence";
  for (const char* wrong : {"false", "refutes:2", "refutes:", "refutes:x"})
    EXPECT_EQ(run({"check", draft, "--fail-on", wrong, "--against", notes_}).code, 2) << wrong;
  EXPECT_EQ(run({"check", draft}).code, 2);
  EXPECT_EQ(run({"check", folder_ / "none.txt", "--against", notes_}).code, 1);
}

}  // namespace
}  // namespace memmatch
