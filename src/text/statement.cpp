#include "text/statement.h"

#include <algorithm>

#include "text/unicode.h"

namespace memmatch::text {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters of other scripts are not told from their signs.
bool has_letter_or_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return is_plain(c) || static_cast<unsigned char>(c) >= 0x80; });
}

// "claims.txt", "notes/", "../draft.md"
bool looks_like_file(std::string_view word) {
  if (word.find('/') != std::string_view::npos) return true;
  const std::size_t dot = word.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == word.size()) return false;
  const std::string_view ending = word.substr(dot + 1);
  return ending.size() <= 5 && std::all_of(ending.begin(), ending.end(), is_plain);
}

}  // namespace

std::optional<std::string_view> why_no_statement(std::string_view text) {
  const std::string tidied = tidy(text);
  if (!has_letter_or_digit(tidied)) return "has no words";
  const std::size_t end = tidied.find_last_not_of("\"')]");
  if (end != std::string::npos && tidied[end] == '?') return "is a question";
  const bool one_word = tidied.find(' ') == std::string::npos;
  if (one_word && looks_like_file(tidied)) return "looks like the name of a file";
  // A script without blanks has sentences of one "word".
  const bool plain = std::all_of(tidied.begin(), tidied.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (one_word && plain) return "is a single word";
  return std::nullopt;
}

}  // namespace memmatch::text
