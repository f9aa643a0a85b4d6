#include "text/blocks.h"

#include <gtest/gtest.h>

namespace memmatch::text {
namespace {

using Strings = std::vector<std::string>;

Strings texts(const std::vector<Block>& blocks) {
  Strings all;
  for (const Block& block : blocks)
    all.push_back((block.heading > 0 ? std::to_string(block.heading) + "# " : "") + block.text);
  return all;
}

Strings blocks(std::string_view text) { return texts(plain_blocks(text)); }

TEST(PlainBlocks, LinesThatWereBrokenForTheirWidthAreJoined) {
  EXPECT_EQ(blocks("The bridge over the river was built by\n"
                   "Maria Lopez and her brother, who came from\n"
                   "Lisbon in the year 1932. It has five arches\n"
                   "of stone.\n"),
            Strings{"The bridge over the river was built by Maria Lopez and her brother, who came "
                    "from Lisbon in the year 1932. It has five arches of stone."});
}

TEST(PlainBlocks, ALineThatTheNextTakesUpInLowerCaseIsJoined) {
  EXPECT_EQ(blocks("The battery lasts\nabout 11 hours. It is charged\nover night.\nDone."),
            (Strings{"The battery lasts about 11 hours. It is charged over night.", "Done."}));
}

TEST(PlainBlocks, BlankLinesAndLinesWithRoomForMoreEndThem) {
  EXPECT_EQ(blocks("Opening hours\n\nMonday to Friday\r\n\r\nNine to five"),
            (Strings{"Opening hours", "Monday to Friday", "Nine to five"}));
  EXPECT_EQ(blocks("Paris is in France\nOslo is in Norway\nThe capital of Peru is Lima\n"
                   "Quito is in Ecuador\n"),
            (Strings{"Paris is in France", "Oslo is in Norway", "The capital of Peru is Lima",
                     "Quito is in Ecuador"}));
}

TEST(PlainBlocks, ListItemsKeepTheirLinesTogether) {
  EXPECT_EQ(
      blocks("Bring:\n- a pen and\n  some paper\n* a lamp\n1. Sign in.\n2) Sit down\n"
             "• Wait"),
      (Strings{"Bring:", "a pen and some paper", "a lamp", "1. Sign in.", "2) Sit down", "Wait"}));
}

TEST(PlainBlocks, RowsOfTablesStandForThemselves) {
  EXPECT_EQ(
      blocks("City\tRate\nLisbon\t54\n| Oslo | 81 |\n|------|----|\na    b    c\nd    e    f"),
      (Strings{"City Rate", "Lisbon 54", "| Oslo | 81 |", "a b c", "d e f"}));
}

TEST(PlainBlocks, UnderlinedLinesAreHeadings) {
  EXPECT_EQ(blocks("Handbook\n========\nIt is short.\n\nLeave\n-----\nThere is some.\n-----\n"),
            (Strings{"1# Handbook", "It is short.", "2# Leave", "There is some."}));
}

TEST(PlainBlocks, SurviveAnything) {
  EXPECT_TRUE(plain_blocks("").empty());
  EXPECT_TRUE(plain_blocks("\n\n---\n====\n \t \f\n*\n").empty());
  EXPECT_EQ(blocks("\xff\xfe x").size(), 1u);
  EXPECT_EQ(blocks("one\ftwo"), (Strings{"one", "two"}));
}

}  // namespace
}  // namespace memmatch::text
