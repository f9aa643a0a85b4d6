#include "text/dump_text.h"

#include <unicode/uchar.h>

#include <array>
#include <map>
#include <utility>

#include "text/titles.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace memmatch::text {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string out;
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find(from, copied)) {
    out.append(text, copied, at - copied).append(to);
    copied = at + from.size();
  }
  text = out.append(text, copied, std::string::npos);
}

// The order matters: "&amp;" comes last, so that "&amp;lt;" becomes "&lt;" and not "<".
void unescape_xml(std::string& text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kEntities{{
      {"&bar;", "|"},
      {"&#124;", "|"},
      {"&lt;", "<"},
      {"&gt;", ">"},
      {"&bra;", "["},
      {"&ket;", "]"},
      {"&quot;", "\""},
      {"&apos;", "'"},
      {"&#91;", "["},
      {"&#93;", "]"},
      {"&amp;", "&"},
  }};
  if (text.find('&') == std::string::npos) return;
  for (const auto& [entity, character] : kEntities) replace_all(text, entity, character);
}

// Moses' notion of the scripts that are written without blanks.
bool is_cjk(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 8> kRanges{{
      {0x1100, 0x11FF},
      {0x2E80, 0xA4CF},
      {0xA840, 0xA87F},
      {0xAC00, 0xD7AF},
      {0xF900, 0xFAFF},
      {0xFE30, 0xFE4F},
      {0xFF65, 0xFFDC},
      {0x20000, 0x2FFFF},
  }};
  for (const auto& [first, last] : kRanges) {
    if (c >= first && c <= last) return true;
  }
  return false;
}

char32_t first_code_point(std::string_view token) {
  std::size_t i = 0;
  return next_code_point(token, i);
}

char32_t last_code_point(std::string_view token) {
  char32_t last = 0;
  for (std::size_t i = 0; i < token.size();) last = next_code_point(token, i);
  return last;
}

template <typename Predicate>
bool all_of(std::string_view token, Predicate predicate) {
  for (std::size_t i = 0; i < token.size();) {
    if (!predicate(next_code_point(token, i))) return false;
  }
  return true;
}

bool opens(char32_t c) {
  return c == '(' || c == '[' || c == '{' || c == U'¿' || c == U'¡' ||
         u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL;
}

bool closes(char32_t c) {
  return c < 0x80 &&
         std::string_view(",.?!:;\\%}])").find(static_cast<char>(c)) != std::string_view::npos;
}

bool is_low_or_high_quote(char32_t c) { return c == U'„' || c == U'“'; }

bool is_quote(char32_t c) { return c == '\'' || c == '"' || c == '`' || is_low_or_high_quote(c); }

// "'s", "'ll": belongs to the word before it.
bool is_contraction(std::string_view token) {
  return token.size() > 1 && token[0] == '\'' &&
         u_isUAlphabetic(static_cast<UChar32>(first_code_point(token.substr(1))));
}

// Joins token by token; what it keeps is whether a blank is due, and which quotes are open.
class Joiner {
 public:
  void add(std::string_view token) {
    if (is_cjk(first_code_point(token))) {
      const bool joined = !previous_.empty() && is_cjk(last_code_point(previous_));
      joined ? attach(token) : separate(token);
    } else if (all_of(token, opens)) {
      open(token);
    } else if (all_of(token, closes)) {
      attach(token);
    } else if (!previous_.empty() && is_contraction(token)) {
      attach(token);
    } else if (all_of(token, is_quote)) {
      quote(token);
    } else {
      separate(token);
    }
    previous_ = token;
  }

  std::string text() && { return std::move(text_); }

 private:
  void attach(std::string_view token) {
    text_.append(token);
    blank_due_ = true;
  }

  void separate(std::string_view token) {
    if (blank_due_ && !text_.empty()) text_.push_back(' ');
    attach(token);
  }

  void open(std::string_view token) {
    separate(token);
    blank_due_ = false;
  }

  // Each kind of quotation mark opens and closes in turn. A single quote after an "s" is taken for
  // a possessive: "the Joneses' house".
  void quote(std::string_view token) {
    bool& is_open = open_quotes_[all_of(token, is_low_or_high_quote) ? "\"" : std::string(token)];
    if (is_open) {
      attach(token);
      is_open = false;
    } else if (token == "'" && previous_.ends_with('s')) {
      attach(token);
    } else {
      open(token);
      is_open = true;
    }
  }

  std::string text_;
  bool blank_due_ = false;
  std::string_view previous_;
  std::map<std::string, bool, std::less<>> open_quotes_;
};

// "did n't" is one word.
void glue_negations(std::string& text) {
  constexpr std::string_view kNegation = " n't";
  for (std::size_t at = text.find(kNegation); at != std::string::npos;
       at = text.find(kNegation, at + 1)) {
    const std::size_t end = at + kNegation.size();
    if (end == text.size() || text[end] == ' ') text.erase(at, 1);
  }
}

}  // namespace

std::string detokenize(std::string tokenized) {
  replace_all(tokenized, " @-@ ", "-");
  unescape_xml(tokenized);
  Joiner joiner;
  for (const std::string_view token : split_whitespace(tokenized)) joiner.add(token);
  return std::move(joiner).text();
}

std::string clean_dump_sentence(std::string_view sentence) {
  std::string text = unescape_brackets(tidy(sentence));
  replace_all(text, "``", "\"");
  replace_all(text, "''", "\"");
  glue_negations(text);
  return detokenize(std::move(text));
}

}  // namespace memmatch::text
