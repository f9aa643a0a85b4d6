#include "text/dump_text.h"

#include <gtest/gtest.h>

#include "text/unicode.h"

namespace memmatch::text {
namespace {

// T8 of the reference.
TEST(DumpText, SentencesOfTheReference) {
  EXPECT_EQ(
      clean_dump_sentence("He was the leader of Free France -LRB- 1940 -- 44 -RRB- and more ."),
      "He was the leader of Free France (1940 -- 44) and more.");
  EXPECT_EQ(clean_dump_sentence("Damon Albarn 's debut album did n't sell , they said ."),
            "Damon Albarn's debut album didn't sell, they said.");
  EXPECT_EQ(clean_dump_sentence("She released `` I Want You Back `` with Missy Elliott ."),
            "She released \"I Want You Back\" with Missy Elliott.");
  EXPECT_EQ(clean_dump_sentence(
                "It cost $ 5 -LRB- 10 % -RRB- ; the Joneses ' house is -LSB- sic -RSB- ."),
            "It cost $5 (10%); the Joneses' house is [sic].");
  EXPECT_EQ(clean_dump_sentence("Telemundo -LRB- -LSB- teleˈmundo -RSB- -RRB- is here"),
            "Telemundo ([teleˈmundo]) is here");
  EXPECT_EQ(clean_dump_sentence("R & B and e @-@ mail ' quoted ' end"),
            "R & B and e-mail 'quoted' end");
}

TEST(DumpText, PairedQuotesOfBothKinds) {
  EXPECT_EQ(clean_dump_sentence("`` One '' and `` two '' ."), "\"One\" and \"two\".");
  EXPECT_EQ(clean_dump_sentence("„ eins “ zwei"), "„eins“ zwei");
}

TEST(DumpText, EntitiesAreUndoneOnce) {
  EXPECT_EQ(clean_dump_sentence("&quot;a&quot; &amp;lt; b &#91;c&#93;"), "\"a\" &lt; b [c]");
}

TEST(DumpText, ConsecutiveCjkTokensAreJoined) {
  EXPECT_EQ(clean_dump_sentence("named 東 京 in Japanese"), "named 東京 in Japanese");
}

TEST(DumpText, LeadingContractionsAndNegationsStay) {
  EXPECT_EQ(clean_dump_sentence("'s Gravenhage"), "'s Gravenhage");
  EXPECT_EQ(clean_dump_sentence("n't you"), "n't you");
}

TEST(DumpText, BlankStaysBlank) {
  EXPECT_EQ(clean_dump_sentence(""), "");
  EXPECT_EQ(clean_dump_sentence(" \t "), "");
}

TEST(DumpText, NaturalTextIsLeftAlone) {
  EXPECT_EQ(clean_dump_sentence("It's natural (since 1990): \"quoted\", O'Neill's e-mail."),
            "It's natural (since 1990): \"quoted\", O'Neill's e-mail.");
}

TEST(DumpText, ResultIsComposedAndWellFormed) {
  EXPECT_EQ(clean_dump_sentence("Cafe\u0301 \xff ."), "Caf\u00e9 \uFFFD.");
}

}  // namespace
}  // namespace memmatch::text
