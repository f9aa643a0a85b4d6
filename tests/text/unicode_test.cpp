#include "text/unicode.h"

#include <gtest/gtest.h>

#include "text/utf8.h"

namespace memmatch::text {
namespace {

// The table of chapter 3 of the Unicode standard on maximal subparts.
TEST(Utf8, IllFormedSubpartsBecomeOneReplacementEach) {
  const std::string r = "\uFFFD";
  EXPECT_EQ(to_well_formed("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(to_well_formed("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(to_well_formed("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            r + r + r + r + r + "A" + r + r + "B");
  EXPECT_EQ(to_well_formed("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), r + r + r + r + "A");
}

TEST(Utf8, WellFormedTextIsUnchanged) {
  const std::string text("a\0é漢😀", 11);
  EXPECT_EQ(to_well_formed(text), text);
}

TEST(Unicode, SplitsAtWhatPythonCallsWhiteSpace) {
  EXPECT_EQ(split_whitespace("a\tb\u00a0c\u3000d\x1f"
                             "e\u2028f"),
            (std::vector<std::string_view>{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(split_whitespace("a\u200bb"), (std::vector<std::string_view>{"a\u200bb"}));
  EXPECT_TRUE(split_whitespace(" \n ").empty());
}

TEST(Unicode, TidyComposesAndCollapses) {
  EXPECT_EQ(tidy("  Cafe\u0301 \n au  lait "), "Caf\u00e9 au lait");
}

TEST(Unicode, LowercaseKnowsTheFinalSigma) { EXPECT_EQ(lowercase("ΟΔΟΣ"), "οδος"); }

}  // namespace
}  // namespace memmatch::text
