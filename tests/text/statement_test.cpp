#include "text/statement.h"

#include <gtest/gtest.h>

namespace memmatch::text {
namespace {

TEST(Statement, QuestionsFilesAndSignsStateNothing) {
  EXPECT_EQ(why_no_statement("Is the Moon round?"), "is a question");
  EXPECT_EQ(why_no_statement(" (\"Is it round?\") "), "is a question");
  EXPECT_EQ(why_no_statement("?"), "has no words");
  EXPECT_EQ(why_no_statement(" \t"), "has no words");
  EXPECT_EQ(why_no_statement("claims.txt"), "looks like the name of a file");
  EXPECT_EQ(why_no_statement("../notes/today"), "looks like the name of a file");
  EXPECT_EQ(why_no_statement("Moon"), "is a single word");
  EXPECT_EQ(why_no_statement("Moon."), "is a single word");
}

TEST(Statement, StatementsAreTakenAsTheyAre) {
  for (const char* text : {"The Moon is round.", "Prices rose 3.5", "He said \"why?\" and left.",
                           "the file claims.txt is empty", "月は丸い。", "It rains"})
    EXPECT_EQ(why_no_statement(text), std::nullopt) << text;
}

}  // namespace
}  // namespace memmatch::text
