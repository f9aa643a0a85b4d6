#include "text/similarity.h"

#include <gtest/gtest.h>

namespace memmatch::text {
namespace {

TEST(Similarity, TwiceTheCommonCharactersOverAll) {
  EXPECT_DOUBLE_EQ(similarity("abcd", "abcd"), 1);
  EXPECT_DOUBLE_EQ(similarity("abcd", "axcy"), 0.5);
  EXPECT_DOUBLE_EQ(similarity("abc", "cab"), 2.0 * 2 / 6);
  EXPECT_DOUBLE_EQ(similarity("R&B", "R & B"), 2.0 * 3 / 8);
  EXPECT_DOUBLE_EQ(similarity("abc", "xyz"), 0);
  EXPECT_DOUBLE_EQ(similarity("", ""), 1);
  EXPECT_DOUBLE_EQ(similarity("", "a"), 0);
}

TEST(Similarity, CountsCharactersNotBytes) {
  EXPECT_DOUBLE_EQ(similarity("\u00e9a", "\u00e8a"), 0.5);
}

TEST(Similarity, HopelessPairsAreNotCompared) {
  EXPECT_EQ(similarity("ab", "abcdef", 0.5), 0);
  EXPECT_DOUBLE_EQ(similarity("ab", "abcdef", 0.4), 0.5);
}

}  // namespace
}  // namespace memmatch::text
