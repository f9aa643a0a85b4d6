#include "text/sentence_split.h"

#include <gtest/gtest.h>

#include <set>

#include "base/files.h"
#include "support.h"
#include "text/unicode.h"

namespace memmatch::text {
namespace {

TEST(SentenceSplit, SplitsRunningText) {
  EXPECT_EQ(split_sentences("One is here. Two is there!  Is three? Yes."),
            (std::vector<std::string>{"One is here.", "Two is there!", "Is three?", "Yes."}));
}

TEST(SentenceSplit, AbbreviationsDoNotEndSentences) {
  EXPECT_EQ(split_sentences("Mr. Smith met Dr. Jones. They talked."),
            (std::vector<std::string>{"Mr. Smith met Dr. Jones.", "They talked."}));
}

TEST(SentenceSplit, InitialsDoNotEndSentencesButWordsDo) {
  EXPECT_EQ(
      split_sentences("J. R. Doe (b. 1950) is red. She left the USA. He stayed."),
      (std::vector<std::string>{"J. R. Doe (b. 1950) is red.", "She left the USA.", "He stayed."}));
}

TEST(SentenceSplit, AnAbbreviationAtTheEndIsAnEnd) {
  EXPECT_EQ(split_sentences("They met in the U.S.\nIt rained."),
            (std::vector<std::string>{"They met in the U.S.", "It rained."}));
  EXPECT_EQ(split_sentences("The answer was no. She left."),
            (std::vector<std::string>{"The answer was no.", "She left."}));
}

TEST(SentenceSplit, LineBreaksEndSentences) {
  EXPECT_EQ(split_sentences("A heading\nA sentence.\n\n"),
            (std::vector<std::string>{"A heading", "A sentence."}));
}

// Of a text that was cut into parts, how many bytes other than blanks stand before each cut.
std::set<std::size_t> cuts_of(const std::vector<std::string>& parts) {
  std::set<std::size_t> cuts;
  std::size_t bytes = 0;
  for (const std::string& part : parts) {
    for (const std::string_view word : split_whitespace(part)) bytes += word.size();
    cuts.insert(bytes);
  }
  cuts.erase(bytes);
  return cuts;
}

std::vector<std::string> parts_of(std::string line) {
  std::vector<std::string> parts;
  for (std::size_t at = line.find("||"); at != std::string::npos; at = line.find("||")) {
    parts.push_back(line.substr(0, at));
    line.erase(0, at + 2);
  }
  parts.push_back(line);
  return parts;
}

// Places that look like an end: a full stop and its like before a blank.
std::set<std::size_t> places_of(const std::string& text) {
  std::set<std::size_t> places;
  std::size_t bytes = 0;
  for (const std::string_view word : split_whitespace(text)) {
    bytes += word.size();
    const std::size_t last = word.find_last_not_of("\"')]”’");
    if (word.ends_with("…") ||
        (last != std::string_view::npos && word.find_first_of(".!?", last) == last))
      places.insert(bytes);
  }
  places.erase(bytes);
  return places;
}

TEST(SentenceSplit, HardBordersAreFound) {
  LineReader lines(test::fixture("sentence_borders.txt"));
  std::size_t borders = 0;
  std::size_t places = 0;
  std::size_t wrong = 0;
  std::string mistakes;
  for (std::string line; lines.next(line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> parts = parts_of(line);
    std::string text;
    for (const std::string& part : parts) text += part;
    const std::set<std::size_t> right = cuts_of(parts);
    const std::set<std::size_t> found = cuts_of(split_sentences(text));
    std::set<std::size_t> all = places_of(text);
    all.insert(right.begin(), right.end());
    all.insert(found.begin(), found.end());
    borders += right.size();
    places += all.size();
    for (const std::size_t place : all) {
      if (right.contains(place) == found.contains(place)) continue;
      ++wrong;
      mistakes += line + "\n";
    }
  }
  EXPECT_GE(borders, 150u);
  EXPECT_GE(places, 230u);
  EXPECT_LE(wrong * 100, places * 3) << mistakes;
}

TEST(SentenceSplit, LongSentencesAreCutAtClauses) {
  const std::string sentence =
      "The committee, which met in the old town hall on the second Monday of every month for more "
      "than forty years, decided in the end that the bridge should be closed to lorries, that the "
      "toll should be raised to four euros, and that the northern pier would be rebuilt in "
      "granite.";
  const std::vector<std::string> parts = split_long_sentence(sentence);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(parts[0].ends_with(',')) << parts[0];
  EXPECT_EQ(parts[0] + " " + parts[1], sentence);
  EXPECT_EQ(split_long_sentence("A short one, and that is all."),
            std::vector<std::string>{"A short one, and that is all."});
  const std::string list(300, 'x');
  EXPECT_EQ(split_long_sentence(list), std::vector<std::string>{list});
  EXPECT_TRUE(split_long_sentence("").empty());
}

TEST(SentenceSplit, SurvivesAnyBytes) {
  EXPECT_TRUE(split_sentences("").empty());
  EXPECT_EQ(split_sentences("\xff\xfe.").size(), 1u);
}

}  // namespace
}  // namespace memmatch::text
