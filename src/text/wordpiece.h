#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/vocabulary.h"

namespace memmatch::text {

// One piece of a tokenised text: bytes [begin, end) of the source.
struct Piece {
  std::int32_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

struct WordPieceOptions {
  bool lowercase = false;
  bool strip_accents = false;
  bool clean_text = true;                 // drop control characters
  bool split_ideographs = true;           // each CJK ideograph is a word
  std::size_t max_word_characters = 100;  // longer words are unknown
  std::string unknown = "[UNK]";
  std::string continuation = "##";
  // Found in the text as they stand, before anything else is done to it.
  std::vector<std::string> special = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
};

// BERT's tokeniser: clean-up, words and punctuation, greedy longest match of pieces. It gives the
// ids of Hugging Face's `BertTokenizerFast` (without [CLS] and [SEP]) and survives any bytes;
// ill-formed UTF-8 counts as U+FFFD, which the clean-up drops.
//
// Immutable after construction: any number of threads may use one.
class WordPiece {
 public:
  // Throws Error(corrupt) when the unknown token is not in the vocabulary.
  WordPiece(Vocabulary vocabulary, WordPieceOptions options);

  std::vector<Piece> tokenize(std::string_view text) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const WordPieceOptions& options() const { return options_; }

 private:
  class Run;

  Vocabulary vocabulary_;
  std::vector<std::int32_t> continuation_ids_;
  Vocabulary continuations_;  // texts without their prefix; ids in continuation_ids_
  WordPieceOptions options_;
  std::vector<std::pair<std::string, std::int32_t>> special_;  // longest first
  std::array<bool, 256> starts_special_{};
  std::int32_t unknown_id_ = 0;
  std::size_t longest_piece_ = 0;  // in bytes
};

// Whether a vocabulary was made for text whose capitals are kept.
bool looks_cased(const Vocabulary& vocabulary);

}  // namespace memmatch::text
