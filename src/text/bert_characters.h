#pragma once

#include <cstdint>

namespace memmatch::text {

// What BERT's basic tokeniser makes of a character.
enum class BertClass : std::uint8_t {
  word,         // part of a word
  space,        // separates words
  punctuation,  // a word of its own
  ideograph,    // CJK: a word of its own
  dropped,      // control and format characters, U+FFFD: as if not there
};

BertClass bert_class(char32_t c);

// Combining marks that "stripping accents" removes.
bool is_nonspacing_mark(char32_t c);

}  // namespace memmatch::text
