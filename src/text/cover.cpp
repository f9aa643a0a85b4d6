#include "text/cover.h"

#include <algorithm>

namespace memmatch::text {
namespace {

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::size_t>(end - a.begin());
}

// The longest prefix of `text` that ends with a word and is at most `length` long.
std::string_view whole_words(std::string_view text, std::size_t length) {
  if (length >= text.size() || text[length] == ' ') return text.substr(0, length);
  const std::size_t blank = text.substr(0, length).rfind(' ');
  return text.substr(0, blank == std::string_view::npos ? 0 : blank);
}

std::optional<std::string> longest_key(std::string_view rest, const FloorKey& floor) {
  while (!rest.empty()) {
    std::optional<std::string> key = floor(rest);
    if (!key) return std::nullopt;
    if (*key == rest) return key;
    rest = whole_words(rest, common_prefix(rest, *key));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> covering_keys(std::string_view claim_key, const FloorKey& floor) {
  std::vector<std::string> keys;
  while (!claim_key.empty()) {
    if (std::optional<std::string> key = longest_key(claim_key, floor))
      keys.push_back(*std::move(key));
    const std::size_t blank = claim_key.find(' ');
    if (blank == std::string_view::npos) break;
    claim_key.remove_prefix(blank + 1);
  }
  return keys;
}

}  // namespace memmatch::text
