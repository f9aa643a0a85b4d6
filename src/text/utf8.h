#pragma once

#include <unicode/utf8.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace memmatch::text {

inline constexpr char32_t kReplacement = 0xFFFD;

// Reads the code point at `position` and moves past it. Ill-formed bytes give U+FFFD, one for each
// maximal subpart, as Unicode (chapter 3, "U+FFFD substitution of maximal subparts") prescribes.
inline char32_t next_code_point(std::string_view bytes, std::size_t& position) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  UChar32 c = 0;
  U8_NEXT_OR_FFFD(data, position, bytes.size(), c);
  return static_cast<char32_t>(c);
}

// Appends `c`, which must be a Unicode scalar value.
inline void append_utf8(std::string& out, char32_t c) {
  char buffer[4];
  std::size_t length = 0;
  U8_APPEND_UNSAFE(buffer, length, static_cast<UChar32>(c));
  out.append(buffer, length);
}

bool is_ascii(std::string_view bytes);

// Well-formed UTF-8: every maximal ill-formed subpart is replaced by U+FFFD.
std::string to_well_formed(std::string_view bytes);

}  // namespace memmatch::text
