// examples/kinds and examples/retrieval are what their READMEs say.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "data/claims.h"
#include "support.h"
#include "text/shared_words.h"

namespace memmatch::eval {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

std::vector<Json> read_rows(std::string_view name) {
  std::vector<Json> rows;
  LineReader lines(std::filesystem::path(MEMMATCH_SOURCE_DIR) / "examples" / name);
  for (std::string line; lines.next(line);) rows.push_back(Json::parse(line));
  return rows;
}

Texts evidence_of(const Json& row) {
  const Json& evidence = row.at("evidence");
  return evidence.is_string() ? Texts{evidence.get<std::string>()} : evidence.get<Texts>();
}

bool blank(const std::string& text) { return text::split_whitespace(text).empty(); }

std::string string_of(const Json& row, const char* field) {
  return row.at(field).get<std::string>();
}

// The letters of the words of `text` that occur in the one of the others that has most of them.
int most_shared(const std::string& text, const Texts& others) {
  const text::SharedWords words(text);
  int most = 0;
  for (const std::string& other : others) most = std::max(most, words.letters("", other));
  return most;
}

// None may be blank or have been there before.
void expect_new_texts(std::set<std::string>& seen, const Texts& texts) {
  for (const std::string& text : texts) {
    EXPECT_FALSE(blank(text));
    EXPECT_TRUE(seen.insert(text).second) << text;
  }
}

TEST(KindsFile, EveryRowHasItsFieldsAndAClaimOfItsOwn) {
  const std::set<std::string> fields{"claim", "evidence", "kind", "label", "title"};
  std::set<std::string> claims;
  for (const Json& row : read_rows("kinds/claims.jsonl")) {
    for (const auto& [field, value] : row.items()) EXPECT_TRUE(fields.contains(field)) << row;
    EXPECT_TRUE(data::parse_label(string_of(row, "label"))) << row;
    expect_new_texts(claims, {string_of(row, "claim")});
    const Texts evidence = evidence_of(row);
    EXPECT_TRUE(evidence.size() >= 1 && evidence.size() <= 3) << row;
    EXPECT_TRUE(std::none_of(evidence.begin(), evidence.end(), blank)) << row;
    EXPECT_FALSE(row.contains("title") && blank(string_of(row, "title"))) << row;
  }
}

TEST(KindsFile, HasEightRowsOfEachLabelInEveryKindAndVerbatimOnesThatAreSupported) {
  std::map<std::string, std::map<std::string, int>> counts;
  for (const Json& row : read_rows("kinds/claims.jsonl"))
    ++counts[string_of(row, "kind")][string_of(row, "label")];
  const std::map<std::string, int> even{{"SUPPORTS", 8}, {"REFUTES", 8}, {"NOT ENOUGH INFO", 8}};
  std::map<std::string, std::map<std::string, int>> expected;
  for (const char* kind : {"negation", "number", "date", "unit", "antonym", "exception",
                           "comparison", "quantifier", "role exchange", "paraphrase", "overlap"})
    expected[kind] = even;
  expected["verbatim"] = {{"SUPPORTS", 28}};
  EXPECT_EQ(counts, expected);
}

TEST(KindsFile, AVerbatimClaimIsASentenceOfItsEvidenceAndNoOtherIs) {
  for (const Json& row : read_rows("kinds/claims.jsonl")) {
    const Texts evidence = evidence_of(row);
    const bool there = std::count(evidence.begin(), evidence.end(), string_of(row, "claim")) == 1;
    EXPECT_EQ(there, string_of(row, "kind") == "verbatim") << row;
  }
}

TEST(RetrievalFiles, WordsDoNotTellTheParaphraseFromTheDistractors) {
  std::set<std::string> seen;
  const std::vector<Json> rows = read_rows("retrieval/paraphrases.jsonl");
  EXPECT_EQ(rows.size(), 40u);
  for (const Json& row : rows) {
    const std::string text = string_of(row, "text");
    const std::string paraphrase = string_of(row, "paraphrase");
    const Texts distractors = row.at("distractors").get<Texts>();
    EXPECT_EQ(distractors.size(), 4u) << row;
    expect_new_texts(seen, {text, paraphrase});
    expect_new_texts(seen, distractors);
    EXPECT_GT(most_shared(text, distractors), most_shared(text, {paraphrase})) << row;
  }
}

TEST(RetrievalFiles, WordsDoNotTellTheRightPassageFromTheOthers) {
  std::set<std::string> seen;
  const std::vector<Json> rows = read_rows("retrieval/questions.jsonl");
  EXPECT_EQ(rows.size(), 40u);
  for (const Json& row : rows) {
    const std::string query = string_of(row, "query");
    const std::string right = string_of(row, "right");
    const Texts others = row.at("others").get<Texts>();
    EXPECT_EQ(others.size(), 5u) << row;
    expect_new_texts(seen, {query, right});
    expect_new_texts(seen, others);
    EXPECT_GE(most_shared(query, others), most_shared(query, {right})) << row;
  }
}

}  // namespace
}  // namespace memmatch::eval
