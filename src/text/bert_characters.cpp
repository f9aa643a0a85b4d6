#include "text/bert_characters.h"

#include <unicode/uchar.h>

#include <array>
#include <utility>

#include "text/unicode.h"
#include "text/utf8.h"

namespace memmatch::text {
namespace {

// The CJK ideographs proper: kana and hangul are written in words. The gap after U+2B81F is in
// every BERT tokeniser, so it is here.
bool is_ideograph(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 8> kRanges{{
      {0x3400, 0x4DBF},
      {0x4E00, 0x9FFF},
      {0xF900, 0xFAFF},
      {0x20000, 0x2A6DF},
      {0x2A700, 0x2B73F},
      {0x2B740, 0x2B81F},
      {0x2B920, 0x2CEAF},
      {0x2F800, 0x2FA1F},
  }};
  for (const auto& [first, last] : kRanges) {
    if (c >= first && c <= last) return true;
  }
  return false;
}

// The general category as of Unicode 8, as a U_GC_…_MASK. The tokenisers that models come with
// (Hugging Face's Rust library) still go by it: what was encoded later is part of a word to them,
// like everything unassigned. Found by comparing planes 0 to 2 with that library.
std::uint32_t category(char32_t c) {
  switch (c) {  // those whose category has changed since
    case 0x166D:
    case 0x111C9:
      return U_GC_PO_MASK;
    case 0x1734:
      return U_GC_MN_MASK;
    case 0x1885:
    case 0x1886:
    case 0xA9BD:
      return U_GC_LO_MASK;
    default:
      break;
  }
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] > 8 ? U_GC_CN_MASK : U_GET_GC_MASK(static_cast<UChar32>(c));
}

BertClass classify(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return BertClass::space;
  if (c == 0 || c == kReplacement) return BertClass::dropped;
  if (is_ascii_punctuation(c)) return BertClass::punctuation;
  const std::uint32_t mask = category(c);
  if (mask & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) return BertClass::dropped;
  if (mask & U_GC_P_MASK) return BertClass::punctuation;
  if (mask & U_GC_Z_MASK) return BertClass::space;
  return is_ideograph(c) ? BertClass::ideograph : BertClass::word;
}

// Nearly all characters of nearly all texts are below 256.
const std::array<BertClass, 256>& latin1_classes() {
  static const std::array<BertClass, 256> classes = [] {
    std::array<BertClass, 256> table{};
    for (char32_t c = 0; c < table.size(); ++c) table[c] = classify(c);
    return table;
  }();
  return classes;
}

}  // namespace

BertClass bert_class(char32_t c) { return c < 256 ? latin1_classes()[c] : classify(c); }

bool is_nonspacing_mark(char32_t c) { return category(c) == U_GC_MN_MASK; }

}  // namespace memmatch::text
