#include "text/unicode.h"

#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/stringoptions.h>
#include <unicode/uchar.h>

#include "memmatch/error.h"
#include "text/utf8.h"

namespace memmatch::text {
namespace {

void check(UErrorCode status, const char* what) {
  if (U_FAILURE(status)) {
    throw Error(ErrorKind::io, std::string("ICU cannot ") + what + ": " + u_errorName(status));
  }
}

const icu::Normalizer2& nfc_normalizer() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(status);
  check(status, "load its normalisation data");
  return *normalizer;
}

bool is_ascii_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

// What most texts are, and what need not be looked at twice.
bool is_tidy_ascii(std::string_view text) {
  char previous = ' ';
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80 ||
        (is_ascii_space(c) && (c != ' ' || previous == ' ')))
      return false;
    previous = c;
  }
  return text.empty() || previous != ' ';
}

}  // namespace

bool is_space(char32_t c) {
  if (c < 0x80) return is_ascii_space(static_cast<char>(c));
  return u_isUWhiteSpace(static_cast<UChar32>(c));
}

bool is_ascii_punctuation(char32_t c) {
  return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
         (c >= 123 && c <= 126);
}

std::string nfc(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode status = U_ZERO_ERROR;
  const std::string well_formed = to_well_formed(text);
  nfc_normalizer().normalizeUTF8(0, well_formed, sink, nullptr, status);
  check(status, "normalise a text");
  return out;
}

std::string lowercase(std::string_view text) {
  std::string out;
  if (is_ascii(text)) {
    out.reserve(text.size());
    for (const char c : text) out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
    return out;
  }
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
                            sink, nullptr, status);
  check(status, "lower-case a text");
  return out;
}

std::vector<std::string_view> split_whitespace(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t before = i;
    const bool ascii = static_cast<unsigned char>(text[i]) < 0x80;
    const bool space = ascii ? is_ascii_space(text[i++]) : is_space(next_code_point(text, i));
    if (!space) continue;
    if (before > start) words.push_back(text.substr(start, before - start));
    start = i;
  }
  if (text.size() > start) words.push_back(text.substr(start));
  return words;
}

std::string collapse_whitespace(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const std::string_view word : split_whitespace(text)) {
    if (!out.empty()) out.push_back(' ');
    out.append(word);
  }
  return out;
}

std::string tidy(std::string_view text) {
  return is_tidy_ascii(text) ? std::string(text) : collapse_whitespace(nfc(text));
}

}  // namespace memmatch::text
