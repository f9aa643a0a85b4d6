#include "text/wordpiece.h"

#include <gtest/gtest.h>

#include <random>

#include "memmatch/error.h"

namespace memmatch::text {
namespace {

std::vector<std::string> small_pieces() {
  return {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un",   "##aff", "##able", "aff", "the",
          "The",   ",",     ".",     "漢",    "字",     "cafe", "é",     "e",      "##e", "##s",
          "i",     "##x",   "[",     "]",     "x",      "Ä",    "a",     "##a"};
}

WordPiece cased() { return {Vocabulary(small_pieces()), {}}; }

WordPiece uncased() {
  WordPieceOptions options;
  options.lowercase = options.strip_accents = true;
  return {Vocabulary(small_pieces()), options};
}

std::vector<std::string> pieces_of(const WordPiece& tokenizer, std::string_view text) {
  std::vector<std::string> texts;
  for (const Piece& piece : tokenizer.tokenize(text))
    texts.push_back(tokenizer.vocabulary().piece(piece.id));
  return texts;
}

using Strings = std::vector<std::string>;

TEST(WordPiece, LongestPiecesFirst) {
  EXPECT_EQ(pieces_of(cased(), "unaffable aff"), (Strings{"un", "##aff", "##able", "aff"}));
}

TEST(WordPiece, WordWithoutPiecesIsUnknownAsAWhole) {
  EXPECT_EQ(pieces_of(cased(), "unaffq, the"), (Strings{"[UNK]", ",", "the"}));
}

TEST(WordPiece, CapitalsAndAccentsStayOrGo) {
  EXPECT_EQ(pieces_of(cased(), "The CAFÉ"), (Strings{"The", "[UNK]"}));
  EXPECT_EQ(pieces_of(uncased(), "The CAFÉ Ä"), (Strings{"the", "cafe", "a"}));
  EXPECT_EQ(pieces_of(uncased(), "Cafe\u0301"), (Strings{"cafe"}));
}

TEST(WordPiece, IdeographsAreWords) {
  EXPECT_EQ(pieces_of(cased(), "the漢字the"), (Strings{"the", "漢", "字", "the"}));
}

TEST(WordPiece, ControlCharactersAreDropped) {
  EXPECT_EQ(pieces_of(cased(), std::string_view("un\0a\x07"
                                                "ff\u200bable\uFFFD",
                                                14)),
            (Strings{"un", "##aff", "##able"}));
}

TEST(WordPiece, SpecialTokensStandForThemselves) {
  EXPECT_EQ(pieces_of(cased(), "the[SEP]the [CLS] [cls]"),
            (Strings{"the", "[SEP]", "the", "[CLS]", "[", "[UNK]", "]"}));
}

TEST(WordPiece, WordsOfOver100CharactersAreUnknown) {
  EXPECT_EQ(pieces_of(cased(), std::string(100, 'a')).size(), 100u);
  EXPECT_EQ(pieces_of(cased(), std::string(101, 'a')), (Strings{"[UNK]"}));
  std::string accents;
  for (int i = 0; i < 101; ++i) accents += "e\u0301";
  EXPECT_EQ(pieces_of(uncased(), accents), (Strings{"[UNK]"}));
}

TEST(WordPiece, OffsetsAreBytesOfTheSource) {
  const std::string text =
      "  É, unaff\xff"
      "able";
  const std::vector<Piece> expected{{17, 2, 4}, {11, 4, 5}, {5, 6, 8}, {6, 8, 11}, {7, 12, 16}};
  EXPECT_EQ(uncased().tokenize(text), expected);
}

// Whatever the bytes, pieces come in order, inside the text, and do not depend on luck.
TEST(WordPiece, SurvivesAnyBytes) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = static_cast<char>(random());
    for (const WordPiece& tokenizer : {cased(), uncased()}) {
      std::uint32_t last = 0;
      for (const Piece& piece : tokenizer.tokenize(text)) {
        ASSERT_LE(piece.begin, piece.end);
        ASSERT_LE(last, piece.begin);
        ASSERT_LE(piece.end, text.size());
        last = piece.begin;
      }
    }
  }
}

TEST(WordPiece, NeedsItsUnknownToken) { EXPECT_THROW(WordPiece(Vocabulary({"a"}), {}), Error); }

TEST(Vocabulary, RefusesRepeatedPieces) { EXPECT_THROW(Vocabulary({"a", "b", "a"}), Error); }

TEST(Vocabulary, KnowsWhetherItIsCased) {
  EXPECT_TRUE(looks_cased(Vocabulary({"[UNK]", "a", "B"})));
  EXPECT_FALSE(looks_cased(Vocabulary({"[UNK]", "a", "##b"})));
}

}  // namespace
}  // namespace memmatch::text
