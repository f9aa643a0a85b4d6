#include "text/encoding.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::text {
namespace {

using test::error_of;

TEST(Encoding, MarksAreFollowedAndTakenAway) {
  EXPECT_EQ(to_utf8("\xEF\xBB\xBFK\xC3\xA4se"), "Käse");
  EXPECT_EQ(to_utf8({"\xFF\xFEK\0\xE4\0s\0e\0", 10}), "Käse");
  EXPECT_EQ(to_utf8({"\xFE\xFF\0K\0\xE4\0s\0e", 10}), "Käse");
}

TEST(Encoding, Utf16IsKnownByItsZeros) {
  EXPECT_EQ(to_utf8({"T\0h\0e\0 \0s\0u\0n\0", 14}), "The sun");
}

TEST(Encoding, WhatIsNotUtf8IsLatin) {
  EXPECT_EQ(to_utf8("The caf\xE9 costs 3 \x80 \x96 or 4."), "The café costs 3 € – or 4.");
  EXPECT_EQ(to_utf8("plain"), "plain");
}

TEST(Encoding, WhatTheFileSaysIsBelieved) {
  EXPECT_EQ(to_utf8("\xCC\xEE\xF1\xEA\xE2\xE0", "windows-1251"), "Москва");
  EXPECT_EQ(to_utf8("K\xE4se", "no-such-encoding"), "Käse");
}

TEST(Encoding, DamagedUtf8StaysUtf8) { EXPECT_EQ(to_utf8("äöüäöü\xC3"), "äöüäöü\uFFFD"); }

TEST(Encoding, OtherEncodingsAndBinaryDataAreErrors) {
  const Error unknown = error_of([] { to_utf8("\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x95\xB6"); });
  EXPECT_EQ(unknown.kind(), ErrorKind::unsupported);
  EXPECT_NE(std::string(unknown.what()).find("iconv"), std::string::npos);
  EXPECT_EQ(error_of([] { to_utf8({"\x01\x02\x03\0\x05 text", 10}); }).kind(), ErrorKind::corrupt);
}

}  // namespace
}  // namespace memmatch::text
