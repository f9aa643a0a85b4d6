#include "text/utf8.h"

#include <algorithm>

namespace memmatch::text {

bool is_ascii(std::string_view bytes) {
  // No early exit, so that the compiler vectorises it: nearly all text we see is ASCII to the end.
  unsigned char seen = 0;
  for (const char c : bytes) seen |= static_cast<unsigned char>(c);
  return seen < 0x80;
}

std::string to_well_formed(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) append_utf8(out, next_code_point(bytes, i));
  return out;
}

}  // namespace memmatch::text
