#include "text/sentence_split.h"

#include <gtest/gtest.h>

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
}

TEST(SentenceSplit, LineBreaksEndSentences) {
  EXPECT_EQ(split_sentences("A heading\nA sentence.\n\n"),
            (std::vector<std::string>{"A heading", "A sentence."}));
}

TEST(SentenceSplit, SurvivesAnyBytes) {
  EXPECT_TRUE(split_sentences("").empty());
  EXPECT_EQ(split_sentences("\xff\xfe.").size(), 1u);
}

}  // namespace
}  // namespace memmatch::text
