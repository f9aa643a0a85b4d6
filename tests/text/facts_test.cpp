#include "text/facts.h"

#include <gtest/gtest.h>

namespace memmatch::text {
namespace {

using Facts = std::vector<Fact>;

TEST(Facts, YearsNumbersNamesAndWordsOfAKind) {
  EXPECT_EQ(facts_in("Ada Lovelace was an English writer born in London on 10 December 1815."),
            (Facts{{"nationality", "English"},
                   {"occupation", "writer"},
                   {"name after in", "London"},
                   {"number", "10"},
                   {"month", "December"},
                   {"year", "1815"}}));
  EXPECT_EQ(
      facts_in("It has 1,234.5 members of the House of Lords, and U.S. fans."),
      (Facts{
          {"number", "1,234.5"}, {"name after the", "House of Lords"}, {"name after and", "U.S"}}));
  EXPECT_EQ(facts_in("Zoë Öst met Émile's aunt."), (Facts{{"kin", "aunt"}}));
}

TEST(Facts, ANameAtTheBeginningIsWhatTheSentenceIsAbout) {
  EXPECT_EQ(facts_in("Queen Victoria"), Facts());
  EXPECT_EQ(facts_in("Victoria's husband was Prince Albert of Saxe."),
            (Facts{{"kin", "husband"}, {"name after was", "Prince Albert of Saxe"}}));
  EXPECT_EQ(facts_in(""), Facts());
}

TEST(Facts, OnlyWholeWordsAreSaidAndExchanged) {
  EXPECT_TRUE(says("She was born in Rome.", "Rome"));
  EXPECT_FALSE(says("A romance about Romeo.", "Rome"));
  EXPECT_EQ(exchange("Rome is not Romeo; Rome's wall.", "Rome", "Paris"),
            "Paris is not Romeo; Paris's wall.");
  EXPECT_EQ(exchange("an American actor", "American", "Swiss"), "a Swiss actor");
  EXPECT_EQ(exchange("was a novel", "novel", "album"), "was an album");
}

TEST(Facts, AreLeftOutWithTheirPreposition) {
  EXPECT_EQ(
      leave_out("It was first performed in Vienna on 30 May 1791.", {"name after in", "Vienna"}),
      "It was first performed on 30 May 1791.");
  EXPECT_EQ(leave_out("It stands, by the Thames, in London.", {"name after the", "Thames"}),
            "It stands, in London.");
  EXPECT_EQ(leave_out("She was an English singer.", {"nationality", "English"}),
            "She was a singer.");
}

TEST(Facts, AreKeptWhereNothingSensibleRemains) {
  EXPECT_EQ(leave_out("Vienna is large.", {"name after in", "Vienna"}), std::nullopt);
  EXPECT_EQ(leave_out("He met Haydn.", {"name after met", "Haydn"}), std::nullopt);
  EXPECT_EQ(leave_out("Born in Rome, he died in Rome.", {"name after in", "Rome"}), std::nullopt);
  EXPECT_EQ(leave_out("She spoke English.", {"nationality", "English"}), std::nullopt);
  EXPECT_EQ(leave_out("It came out in May 1990.", {"month", "May"}), std::nullopt);
  EXPECT_EQ(leave_out("In Vienna", {"name after in", "Prague"}), std::nullopt);
}

TEST(Facts, EveryWordOfAKindHasFellows) {
  EXPECT_EQ(words_of_kind("order").size(), 2u);
  EXPECT_EQ(words_of_kind("month").size(), 12u);
  EXPECT_TRUE(words_of_kind("year").empty());
  EXPECT_TRUE(words_of_kind("name after in").empty());
}

}  // namespace
}  // namespace memmatch::text
