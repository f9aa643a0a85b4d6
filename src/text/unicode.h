#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memmatch::text {

// White space as Python's str.split() sees it, which the paper's preprocessing used throughout.
bool is_space(char32_t c);

// The 32 ASCII characters that are neither letters, digits, space nor control characters.
bool is_ascii_punctuation(char32_t c);

// Normalisation form C. Ill-formed input comes out well-formed (see to_well_formed).
std::string nfc(std::string_view text);

// Full Unicode lower-casing of the whole string, independent of locale.
std::string lowercase(std::string_view text);

// The pieces between runs of white space, as views into `text`.
std::vector<std::string_view> split_whitespace(std::string_view text);

// Runs of white space become one blank; none is left at either end.
std::string collapse_whitespace(std::string_view text);

// What every text is put through before it is stored or matched: NFC, then collapse_whitespace.
std::string tidy(std::string_view text);

}  // namespace memmatch::text
