#include "text/titles.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/unicode.h"

namespace memmatch::text {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 7> kBracketWords{{
    {"-LRB-", '('},
    {"-RRB-", ')'},
    {"-COLON-", ':'},
    {"-LSB-", '['},
    {"-RSB-", ']'},
    {"-LCB-", '{'},
    {"-RCB-", '}'},
}};

// A "(" without a ")" behind it stays, and so does a ")" without a "(" before it.
std::string without_first_parenthesis(std::string_view title) {
  const std::size_t open = title.find('(');
  const std::size_t close = open == std::string_view::npos ? open : title.find(')', open);
  if (close == std::string_view::npos) return std::string(title);
  return std::string(title.substr(0, open)).append(title.substr(close + 1));
}

std::string key_of(std::string text) {
  for (char& c : text) {
    if (is_ascii_punctuation(static_cast<unsigned char>(c))) c = ' ';
  }
  return lowercase(collapse_whitespace(text));
}

}  // namespace

std::string unescape_brackets(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t dash = std::min(text.find('-'), text.size());
    out.append(text.substr(0, dash));
    text.remove_prefix(dash);
    if (text.empty()) break;
    const auto word =
        std::find_if(kBracketWords.begin(), kBracketWords.end(),
                     [&](const auto& entry) { return text.starts_with(entry.first); });
    out.push_back(word == kBracketWords.end() ? '-' : word->second);
    text.remove_prefix(word == kBracketWords.end() ? 1 : word->first.size());
  }
  return out;
}

std::string display_title(std::string_view raw_title) {
  std::string title(raw_title);
  std::replace(title.begin(), title.end(), '_', ' ');
  return tidy(unescape_brackets(title));
}

std::string match_key(std::string_view display_title) {
  return key_of(without_first_parenthesis(nfc(display_title)));
}

std::string claim_key(std::string_view claim) { return key_of(nfc(claim)); }

}  // namespace memmatch::text
