#include "serve/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "serve/http.h"

namespace memmatch::serve {
namespace {

constexpr std::size_t kLongestTarget = 8192;

[[noreturn]] void bad_url(std::string_view what) {
  refuse(400, "bad_request", fmt::format("the URL {}", what));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  bad_url("has a '%' that no two hexadecimal digits follow");
}

// Bytes of the sequence that `lead` opens; 0 where it cannot open one.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto lead = static_cast<unsigned char>(bytes[0]);
    const std::size_t length = sequence_length(lead);
    if (length == 0 || length > bytes.size() || lead < 0x20 || lead == 0x7f) return false;
    for (const char c : bytes.substr(1, length - 1)) {
      if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) return false;
    }
    const auto second = static_cast<unsigned char>(length > 1 ? bytes[1] : 0x80);
    // Overlong forms, surrogates, and what lies beyond Unicode.
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) {
      return false;
    }
    bytes.remove_prefix(length);
  }
  return true;
}

std::string decode(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) bad_url("ends within an escape");
      decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      decoded += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  if (!is_text(decoded)) bad_url("is not UTF-8, or has control characters");
  return decoded;
}

// Calls `take` with the parts between separators.
template <typename Take>
void split(std::string_view text, char separator, Take take) {
  while (true) {
    const std::size_t end = text.find(separator);
    take(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Url parse_url(std::string_view target) {
  if (target.size() > kLongestTarget) refuse(414, "too_large", "the URL is longer than 8192 bytes");
  if (!target.starts_with('/')) bad_url("must be a path");
  const std::size_t mark = target.find('?');
  Url url;
  split(target.substr(1, mark == std::string_view::npos ? mark : mark - 1), '/',
        [&](std::string_view part) { url.path.push_back(decode(part, false)); });
  if (mark == std::string_view::npos) return url;
  split(target.substr(mark + 1), '&', [&](std::string_view part) {
    if (part.empty()) return;
    const std::size_t equals = part.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    url.parameters.emplace_back(decode(part.substr(0, equals), true), decode(value, true));
  });
  return url;
}

Parameters::Parameters(const Url& url, std::initializer_list<std::string_view> known) : url_(url) {
  for (const auto& [name, value] : url.parameters) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    refuse(422, "invalid_field",
           fmt::format("unknown parameter '{}'; there is: {}", name, fmt::join(known, ", ")));
  }
}

std::vector<std::string_view> Parameters::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& [key, value] : url_.parameters) {
    if (key == name) values.push_back(value);
  }
  return values;
}

std::optional<std::string_view> Parameters::find(std::string_view name) const {
  const std::vector<std::string_view> values = all(name);
  if (values.size() > 1)
    refuse(422, "invalid_field", fmt::format("parameter '{}' is there twice", name));
  return values.empty() ? std::nullopt : std::optional(values.front());
}

std::int64_t Parameters::integer(std::string_view name, std::int64_t preset, std::int64_t least,
                                 std::int64_t most) const {
  const std::optional<std::string_view> text = find(name);
  const std::optional<std::int64_t> number = text ? parse_number(*text) : preset;
  if (!number || *number < least || *number > most) {
    refuse(422, "invalid_field",
           fmt::format("parameter '{}' must be a whole number from {} to {}", name, least, most));
  }
  return *number;
}

std::string path_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 ||
                                       std::string_view("-._~").find(c) != std::string_view::npos);
    escaped += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return escaped;
}

std::optional<std::int64_t> parse_number(std::string_view digits) {
  std::int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end || digits.starts_with('-')) return std::nullopt;
  return number;
}

}  // namespace memmatch::serve
