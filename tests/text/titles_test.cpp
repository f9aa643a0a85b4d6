#include "text/titles.h"

#include <gtest/gtest.h>

namespace memmatch::text {
namespace {

std::string key_of_raw(std::string_view raw) { return match_key(display_title(raw)); }

TEST(Titles, DisplayTitlesAreWrittenOut) {
  EXPECT_EQ(display_title("Resistance_-LRB-EP-RRB-"), "Resistance (EP)");
  EXPECT_EQ(display_title("AC-COLON-DC"), "AC:DC");
  EXPECT_EQ(display_title("_-LSB-a-RSB-__-LCB-b-RCB-_"), "[a] {b}");
  EXPECT_EQ(display_title("Non-LRB"), "Non-LRB");
}

TEST(Titles, DisplayTitlesAreComposed) { EXPECT_EQ(display_title("Cafe\u0301"), "Caf\u00e9"); }

// T5 of the reference.
TEST(Titles, MatchKeysOfTheReference) {
  EXPECT_EQ(key_of_raw("Resistance_-LRB-EP-RRB-"), "resistance");
  EXPECT_EQ(key_of_raw("AC-COLON-DC"), "ac dc");
  EXPECT_EQ(key_of_raw("M*A*S*H_-LRB-TV_series-RRB-"), "m a s h");
  EXPECT_EQ(key_of_raw("Tales_-LRB-of-RRB-_the_City"), "tales the city");
  EXPECT_EQ(key_of_raw("Foo_-LRB-a-RRB-_-LRB-b-RRB-"), "foo b");
  EXPECT_EQ(key_of_raw("U.S."), "u s");
  EXPECT_EQ(key_of_raw("!!!"), "");
}

TEST(Titles, ClaimKeyOfTheReference) {
  EXPECT_EQ(claim_key("Obama's U.S. tour wasn't in the A.C.D.C. – café"),
            "obama s u s tour wasn t in the a c d c – café");
}

TEST(Titles, ClaimsKeepTheirParentheses) {
  EXPECT_EQ(claim_key("Bones (a series) ended."), "bones a series ended");
}

TEST(Titles, LoneParenthesesAreOnlyPunctuation) {
  EXPECT_EQ(match_key("a) b (c"), "a b c");
  EXPECT_EQ(match_key("a) b (c) d"), "a b d");
}

TEST(Titles, LowerCasingIsUnicode) { EXPECT_EQ(match_key("ÉCOLE Žižek"), "école žižek"); }

}  // namespace
}  // namespace memmatch::text
