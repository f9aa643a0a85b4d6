#include "memmatch/check.h"

#include <gtest/gtest.h>

#include "memmatch/temporary_store.h"
#include "search/search_world.h"

namespace memmatch {
namespace {

std::vector<std::string> reasons_of(const std::vector<CheckedSentence>& sentences) {
  std::vector<std::string> reasons;
  for (const CheckedSentence& sentence : sentences) reasons.push_back(sentence.not_judged);
  return reasons;
}

std::vector<Verdict> echo(std::span<const std::string> claims) {
  std::vector<Verdict> verdicts;
  for (const std::string& claim : claims) verdicts.emplace_back().claim = claim;
  return verdicts;
}

TEST(CheckTest, QuestionsAndHeadingsAreNotJudgedAndSignsAreNoSentences) {
  const auto sentences = sentences_to_check("Opening hours\nWhen is it open?\nIt opens at 9.\n***");
  EXPECT_EQ(reasons_of(sentences),
            (std::vector<std::string>{"looks like a heading", "is a question", ""}));
  EXPECT_EQ(sentences[2].text, "It opens at 9.");
}

TEST(CheckTest, EverySentenceThatMayBeJudgedGetsItsOwnVerdict) {
  std::string text;
  for (int i = 0; i < 150; ++i) text += "Room " + std::to_string(i) + " is red. Is it?\n";
  auto sentences = sentences_to_check(text);
  std::vector<std::uint64_t> done;
  check(sentences, echo, [&](const Progress& progress) { done.push_back(progress.done); });
  ASSERT_EQ(sentences.size(), 300u);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    ASSERT_EQ(sentences[i].verdict.has_value(), i % 2 == 0) << i;
    if (i % 2 == 0) {
      EXPECT_EQ(sentences[i].verdict->claim, sentences[i].text);
    }
  }
  EXPECT_EQ(done.back(), 150u);
  EXPECT_GT(done.size(), 1u) << "not all together, so that it can be stopped";
}

TEST(CheckTest, WhatWasJudgedBeforeAnErrorKeepsItsVerdict) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "Room " + std::to_string(i) + " is red.\n";
  auto sentences = sentences_to_check(text);
  int batches = 0;
  const auto fail_later = [&](std::span<const std::string> claims) {
    if (++batches > 1) throw std::runtime_error("stopped");
    return echo(claims);
  };
  EXPECT_THROW(check(sentences, fail_later), std::runtime_error);
  EXPECT_TRUE(sentences.front().verdict);
  EXPECT_FALSE(sentences.back().verdict);
}

TEST(TemporaryStoreTest, TextsCanBeVerifiedAgainstAndAreGoneAfterwards) {
  const test::TemporaryFolder folder;
  const auto model = test::small_model(folder);
  std::filesystem::path file;
  {
    const std::vector<GivenDocument> documents{{"Tower", "The tower is old. The king sings."},
                                               {"", "The river is green."},
                                               {"", "The river is cold."}};
    const auto store = TemporaryStore::of_texts(documents);
    file = store.file();
    Verifier verifier = Verifier::open(file, model, {});
    const Verdict verdict = verifier.verify("The river is cold.", {.k1 = 5, .z = 1});
    ASSERT_EQ(verdict.evidence.size(), 1u);
    EXPECT_EQ(verdict.evidence[0].title.substr(0, 5), "text ");
    EXPECT_EQ(verifier.store().stats().sentences, 4u);
  }
  EXPECT_FALSE(std::filesystem::exists(file.parent_path()));
}

TEST(TemporaryStoreTest, NothingToVerifyAgainstIsAnErrorThatLeavesNothing) {
  const test::TemporaryFolder folder;
  const std::vector<GivenDocument> blank{{"Tower", " \n "}};
  EXPECT_THROW(TemporaryStore::of_texts(blank), Error);
  const std::vector<std::string> missing{folder / "none.txt"};
  EXPECT_THROW(TemporaryStore::of_paths(missing), Error);
}

}  // namespace
}  // namespace memmatch
