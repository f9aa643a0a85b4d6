// What `memmatch describe` prints: a manual page, and completions that shells read.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/process.h"

namespace memmatch {
namespace {

const std::string& described(const std::string& form) {
  static std::map<std::string, std::string> kept;
  if (!kept.contains(form)) kept[form] = test::run_program({"describe", form}).out;
  return kept[form];
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// What bash offers where this has been typed, the last word being unfinished: words, and behind a
// bar what it falls back to.
std::string completions(const std::vector<std::string>& typed) {
  const test::TemporaryFolder folder;
  std::string script = described("bash") +
                       "\ncompopt() { fallback=$2; }\n"
                       "COMP_WORDS=(memmatch \"$@\"); COMP_CWORD=$#\n"
                       "_memmatch; printf '%s ' \"${COMPREPLY[@]}\"; printf '|%s' \"$fallback\"\n";
  std::vector<std::string> arguments{"--norc", "-c", script, "bash"};
  arguments.insert(arguments.end(), typed.begin(), typed.end());
  return test::wait_for(test::start_program(arguments, folder, "", "/bin/bash"), folder).out;
}

bool offers(const std::vector<std::string>& typed, const std::string& word) {
  const auto words = words_of(completions(typed));
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The names of all verbs that help shows.
std::vector<std::string> verbs() {
  const std::string help = test::run_program({"--help"}).out;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::vector<std::string> names;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (line.size() > 2 && line[2] != ' ') names.push_back(words_of(line).front());
  }
  return names;
}

TEST(Describe, IsNotAmongTheVerbsOfHelp) {
  const auto names = verbs();
  EXPECT_GT(names.size(), 10u);
  EXPECT_EQ(std::count(names.begin(), names.end(), "describe"), 0);
}

TEST(Describe, TheManualPageHasEveryVerb) {
  for (const std::string& verb : verbs()) {
    EXPECT_NE(described("man").find(".SS memmatch " + verb), std::string::npos) << verb;
  }
}

TEST(Describe, TheManualPageHasTheOptionsOfAVerbsOwnVerbs) {
  const std::string& page = described("man");
  const auto edit = page.find(".SS memmatch store edit");
  ASSERT_NE(edit, std::string::npos);
  const std::string section = page.substr(edit, page.find(".SS", edit + 3) - edit);
  EXPECT_NE(section.find("\\fB\\-\\-number\\fR"), std::string::npos) << section;
}

TEST(Completion, OffersEveryVerb) {
  for (const std::string& verb : verbs()) EXPECT_TRUE(offers({""}, verb)) << verb;
}

TEST(Completion, OffersTheVerbsOfAVerb) {
  EXPECT_EQ(completions({"store", "ed"}), "edit |");
  EXPECT_FALSE(offers({"store", ""}, "verify"));
}

TEST(Completion, OffersOptionsOfTheVerbAtHand) {
  EXPECT_EQ(completions({"verify", "A claim.", "--candi"}), "--candidates |");
  EXPECT_FALSE(offers({"import", "--"}, "--candidates"));
}

TEST(Completion, OffersChoices) {
  EXPECT_EQ(completions({"verify", "--precision", ""}), "fp32 int8 |");
  EXPECT_EQ(completions({"verify", "--precision", "=", "i"}), "int8 |");
  EXPECT_EQ(completions({"import", "no"}), " |default");
}

TEST(Completion, LeavesFilesAndFoldersToTheShell) {
  EXPECT_EQ(completions({"verify", "--store", "fa"}), " |default");
  EXPECT_EQ(completions({"check", "dra"}), " |default");
  EXPECT_EQ(completions({"verify", "--model", "mo"}), " |dirnames");
}

TEST(Completion, OffersFilesAsLongAsAnOptionTakesMore) {
  EXPECT_EQ(completions({"verify", "--against", "notes/", "ru"}), " |default");
}

TEST(Completion, OffersNothingForNumbers) { EXPECT_EQ(completions({"verify", "--k1", ""}), " |"); }

TEST(Completion, ZshTakesTheFunction) {
  const test::TemporaryFolder folder;
  if (!std::filesystem::exists("/bin/zsh")) GTEST_SKIP() << "zsh is not there";
  const auto file = folder.write("_memmatch", described("zsh"));
  const auto outcome =
      test::wait_for(test::start_program({"-n", file.string()}, folder, "", "/bin/zsh"), folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace memmatch
