#include "text/encoding.h"

#include <fmt/format.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "memmatch/error.h"
#include "text/utf8.h"

namespace memmatch::text {
namespace {

// Looked at to tell whether something is text.
constexpr std::size_t kSample = std::size_t{1} << 20;

struct Mark {
  std::string_view bytes;
  const char* encoding;
};

// That of UTF-32 begins with that of UTF-16.
constexpr std::array<Mark, 5> kMarks{{{{"\xFF\xFE\0\0", 4}, "UTF-32LE"},
                                      {{"\0\0\xFE\xFF", 4}, "UTF-32BE"},
                                      {"\xFF\xFE", "UTF-16LE"},
                                      {"\xFE\xFF", "UTF-16BE"},
                                      {"\xEF\xBB\xBF", "UTF-8"}}};

[[noreturn]] void fail_binary() {
  throw Error(ErrorKind::corrupt, "this is no text, but binary data");
}

// Signs that no text has, but for a stray one.
void expect_text(std::string_view text) {
  text = text.substr(0, kSample);
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && std::string_view("\t\n\v\f\r\b\x1b").find(c) == std::string_view::npos;
  };
  const auto controls = std::count_if(text.begin(), text.end(), is_control);
  const auto zeros = std::count(text.begin(), text.end(), '\0');
  if (zeros > 0 || controls * 100 > std::ssize(text)) fail_binary();
}

std::string converted(std::string_view bytes, const char* encoding) {
  const icu::UnicodeString text(bytes.data(), static_cast<int32_t>(bytes.size()), encoding);
  std::string utf8;
  text.toUTF8String(utf8);
  return utf8;
}

bool is_encoding(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, void (*)(UConverter*)> converter(
      ucnv_open(name.c_str(), &status), ucnv_close);
  return U_SUCCESS(status) != 0;
}

struct Counts {
  std::size_t high = 0;     // bytes that are not ASCII
  std::size_t good = 0;     // characters of several bytes in UTF-8
  std::size_t bad = 0;      // what is not UTF-8
  std::size_t unknown = 0;  // bytes that Windows-1252 has no sign for
};

Counts count(std::string_view bytes) {
  Counts counts;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    const std::size_t begin = at;
    const char32_t c = next_code_point(bytes, at);
    if (byte < 0x80) continue;
    const bool bad = c == kReplacement && !bytes.substr(begin).starts_with("\xEF\xBF\xBD");
    ++(bad ? counts.bad : counts.good);
    counts.high += at - begin;
    for (const char one : bytes.substr(begin, at - begin))
      counts.unknown +=
          std::string_view("\x81\x8D\x8F\x90\x9D").find(one) != std::string_view::npos;
  }
  return counts;
}

// Of Latin letters written in UTF-16, every second byte is zero.
const char* unmarked_utf16(std::string_view bytes) {
  bytes = bytes.substr(0, kSample);
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < bytes.size(); ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  const std::size_t many = bytes.size() * 2 / 5;
  if (bytes.size() < 8) return nullptr;
  if (zeros[1] > many && zeros[0] * 20 < zeros[1]) return "UTF-16LE";
  if (zeros[0] > many && zeros[1] * 20 < zeros[0]) return "UTF-16BE";
  return nullptr;
}

std::string decoded(std::string_view bytes, std::string_view stated) {
  for (const Mark& mark : kMarks) {
    if (!bytes.starts_with(mark.bytes)) continue;
    bytes.remove_prefix(mark.bytes.size());
    return mark.encoding == std::string_view("UTF-8") ? to_well_formed(bytes)
                                                      : converted(bytes, mark.encoding);
  }
  if (const char* encoding = unmarked_utf16(bytes)) return converted(bytes, encoding);
  expect_text(bytes);
  const Counts counts = count(bytes);
  if (counts.bad == 0) return std::string(bytes);
  if (counts.good > 4 * counts.bad) return to_well_formed(bytes);  // damaged in places
  if (const std::string name(stated); !name.empty() && is_encoding(name))
    return converted(bytes, name.c_str());
  if (counts.unknown == 0 && counts.high * 10 < bytes.size() * 3)
    return converted(bytes, "windows-1252");
  throw Error(
      ErrorKind::unsupported,
      "its encoding is neither UTF-8 nor UTF-16 nor Windows-1252; convert it first, such as "
      "with 'iconv -f SHIFT_JIS -t UTF-8'");
}

}  // namespace

std::string to_utf8(std::string_view bytes, std::string_view stated) {
  if (bytes.size() > std::size_t{1} << 30)  // ICU counts with 32 bits
    throw Error(ErrorKind::unsupported, "a text of over 1 GB cannot be read as one document");
  std::string text = decoded(bytes, stated);
  expect_text(text);
  return text;
}

}  // namespace memmatch::text
