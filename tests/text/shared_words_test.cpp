#include "text/shared_words.h"

#include <gtest/gtest.h>

namespace memmatch::text {
namespace {

TEST(SharedWords, CountTheirLettersWhereTitleOrTextHasThem) {
  const SharedWords words("Ada Lovelace wrote a program.");
  EXPECT_EQ(words.letters("Ada Lovelace", "She wrote letters."), 3 + 8 + 5);
  EXPECT_EQ(words.letters("", "A program (the first), by ADA"), 1 + 7 + 3);
  EXPECT_EQ(words.letters("Moon", "It is far away"), 0);
  EXPECT_EQ(words.letters("", "programs"), 0) << "whole words only";
}

TEST(SharedWords, CountOnceHoweverOftenTheyOccur) {
  const SharedWords words("The Moon is the Moon");
  EXPECT_EQ(words.letters("Moon", "the moon, the Moon"), 3 + 4);
}

TEST(SharedWords, LettersAreNotBytes) {
  EXPECT_EQ(SharedWords("Die Küste").letters("", "Küste"), 5);
  EXPECT_EQ(SharedWords("北京").letters("北京", ""), 2);
}

TEST(SharedWords, OfNothingAreNone) {
  EXPECT_EQ(SharedWords().letters("Moon", "the Moon"), 0);
  EXPECT_EQ(SharedWords("!?").letters("!?", "?!"), 0);
}

}  // namespace
}  // namespace memmatch::text
