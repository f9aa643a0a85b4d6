#pragma once

#include <string>
#include <string_view>

namespace memmatch::text {

// The text that the bytes of a file are, as well-formed UTF-8: UTF-8, UTF-16 and UTF-32 with a byte
// order mark, UTF-16 without one where it is plain to see, the encoding that the file itself
// `stated`, or else Windows-1252 (with Latin-1) where that is likely. Throws Error(corrupt) for
// what is no text, and Error(unsupported) for text in an encoding that cannot be told.
std::string to_utf8(std::string_view bytes, std::string_view stated = {});

}  // namespace memmatch::text
