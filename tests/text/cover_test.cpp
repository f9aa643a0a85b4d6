#include "text/cover.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "text/titles.h"
#include "text/unicode.h"

namespace memmatch::text {
namespace {

std::vector<std::string> cover(const std::set<std::string>& keys, std::string_view claim_key) {
  return covering_keys(claim_key, [&](std::string_view bound) -> std::optional<std::string> {
    auto above = keys.upper_bound(std::string(bound));
    if (above == keys.begin()) return std::nullopt;
    return *--above;
  });
}

// T6 of the reference.
TEST(Cover, LongestKeyFromEveryWord) {
  std::set<std::string> keys;
  for (const char* title : {"Charles de Gaulle", "De Gaulle", "Gaulle", "Charles",
                            "French Resistance", "Resistance (EP)", "Resistance (film)", "French",
                            "The French", "A", "In the", "Leader", "Was (Not Was)"}) {
    keys.insert(match_key(title));
  }
  const std::string claim = claim_key("Charles de Gaulle was a leader in the French Resistance.");
  EXPECT_EQ(
      cover(keys, claim),
      (std::vector<std::string>{"charles de gaulle", "de gaulle", "gaulle", "was", "a", "leader",
                                "in the", "the french", "french resistance", "resistance"}));
}

TEST(Cover, KeysEndWithWholeWords) {
  EXPECT_EQ(cover({"a b", "a bc", "a b!", "ab"}, "a bcd"), std::vector<std::string>{});
  EXPECT_EQ(cover({"a", "a b c", "a b d"}, "a b"), std::vector<std::string>{"a"});
}

TEST(Cover, NothingCoversNothing) {
  EXPECT_TRUE(cover({}, "some words").empty());
  EXPECT_TRUE(cover({"", "words"}, "").empty());
  EXPECT_TRUE(cover({""}, "some words").empty());
}

// The definition, word for word: for each start the longest end whose words form a key.
std::vector<std::string> cover_by_definition(const std::set<std::string>& keys,
                                             std::string_view claim) {
  const std::vector<std::string_view> words = split_whitespace(claim);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string longest;
    std::string run;
    for (std::size_t j = i; j < words.size(); ++j) {
      run += (run.empty() ? "" : " ") + std::string(words[j]);
      if (keys.contains(run)) longest = run;
    }
    if (!longest.empty()) found.push_back(longest);
  }
  return found;
}

TEST(Cover, AgreesWithItsDefinitionOnRandomTitles) {
  std::mt19937 random(7);
  const char* words[] = {"a", "b", "ab", "é", "-", "a!", "abc", "\x01", "ü"};
  const auto phrase = [&](unsigned long longest) {
    std::string text;
    for (unsigned long n = 1 + random() % longest; n > 0; --n) {
      text += (text.empty() ? "" : " ") + std::string(words[random() % std::size(words)]);
    }
    return text;
  };
  for (int round = 0; round < 2000; ++round) {
    std::set<std::string> keys;
    for (unsigned long n = random() % 30; n > 0; --n) keys.insert(phrase(4));
    const std::string claim = phrase(12);
    ASSERT_EQ(cover(keys, claim), cover_by_definition(keys, claim)) << claim;
  }
}

}  // namespace
}  // namespace memmatch::text
