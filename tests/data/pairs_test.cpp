#include "data/pairs.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::data {
namespace {

using test::error_of;
using test::TemporaryFolder;

std::vector<Pair> read_all(const std::filesystem::path& file) {
  PairReader reader(file);
  std::vector<Pair> pairs;
  for (Pair pair; reader.next(pair);) pairs.push_back(pair);
  return pairs;
}

TEST(Pairs, EvidenceIsATextOrAList) {
  const TemporaryFolder folder;
  const auto pairs = read_all(folder.write(
      "p.jsonl",
      R"({"claim": " The Moon  is round. ", "evidence": "It is a ball.", "label": "supports"})"
      "\n\n"
      R"({"claim": "The Moon is flat.", "evidence": ["It is a ball.", " ", "It is grey."], )"
      R"("title": "Moon", "label": "REFUTES", "source": "own words", "kind": "antonym"})"
      "\n"
      R"({"claim": "The Moon is old.", "evidence": ["It is a ball.", "The Sun is warm."], )"
      R"("title": ["Moon", "Sun"], "label": "NOT ENOUGH INFO", "source": null})"
      "\n"));
  ASSERT_EQ(pairs.size(), 3u);
  using Sentences = std::vector<GivenEvidence>;
  EXPECT_EQ(pairs[0].claim.text, "The Moon is round.");
  EXPECT_EQ(pairs[0].claim.label, Label::supports);
  EXPECT_EQ(pairs[0].evidence, (Sentences{{"", "", 0, "It is a ball."}}));
  EXPECT_EQ(pairs[0].source + pairs[0].kind, "");
  EXPECT_EQ(pairs[1].evidence,
            (Sentences{{"Moon", "Moon", 0, "It is a ball."}, {"Moon", "Moon", 2, "It is grey."}}));
  EXPECT_EQ(pairs[1].source, "own words");
  EXPECT_EQ(pairs[1].kind, "antonym");
  EXPECT_EQ(pairs[2].evidence, (Sentences{{"Moon", "Moon", 0, "It is a ball."},
                                          {"Sun", "Sun", 0, "The Sun is warm."}}));
  EXPECT_EQ(pairs[2].source, "");
}

TEST(Pairs, WhatCannotBeUsedIsNamed) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> rows{
      {R"({"evidence": "e", "label": "SUPPORTS"})", "claim"},
      {R"({"claim": " ", "evidence": "e", "label": "SUPPORTS"})", "'claim' is empty"},
      {R"({"claim": "c", "evidence": "e"})", "'label' is missing"},
      {R"({"claim": "c", "evidence": "e", "label": "MAYBE"})", "label 'MAYBE'"},
      {R"({"claim": "c", "label": "SUPPORTS"})", "'evidence' is missing or empty"},
      {R"({"claim": "c", "evidence": [], "label": "SUPPORTS"})", "'evidence' is missing or empty"},
      {R"({"claim": "c", "evidence": ["", " "], "label": "SUPPORTS"})", "missing or empty"},
      {R"({"claim": "c", "evidence": 7, "label": "SUPPORTS"})", "a text or a list of texts"},
      {R"({"claim": "c", "evidence": ["e", 7], "label": "SUPPORTS"})", "evidence[]"},
      {R"({"claim": "c", "evidence": ["e", "f"], "title": ["t"], "label": "SUPPORTS"})",
       "differ in length"},
      {R"({"claim": "c", "evidence": "e", "label": "SUPPORTS", "source": 3})", "source"},
      {R"(["c", "e"])", "object"}};
  for (const auto& [row, complaint] : rows) {
    const auto file =
        folder.write("p.jsonl", R"({"claim": "c", "evidence": "e", "label": "SUPPORTS"})"
                                "\n" +
                                    row + "\n");
    const Error error = error_of([&] { read_all(file); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt) << row;
    EXPECT_NE(std::string(error.what()).find("p.jsonl:2: "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(complaint), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace memmatch::data
