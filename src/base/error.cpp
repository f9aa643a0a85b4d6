#include "memmatch/error.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace memmatch {
namespace {

// The length of the control character at the beginning: 0 for none. Those of Latin-1's upper half
// are two bytes of UTF-8; terminals obey some of them, too.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
  const bool upper = text.size() > 1 && byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0;
  return upper ? 2 : 0;
}

// Messages quote names of files, titles and lines of input, which anybody may have written. On a
// terminal or in a log they are to be text and nothing else.
std::string printable(std::string_view message) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(message.size());
  while (!message.empty()) {
    const std::size_t length = control_length(message);
    if (length == 0) {
      text += message.front();
    } else {
      const auto code = static_cast<std::uint8_t>(message[length - 1]);
      text.append("\\x").append(1, kDigits[code >> 4]).append(1, kDigits[code & 15]);
    }
    message.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(printable(message)), kind_(kind) {}

}  // namespace memmatch
