#include "text/blocks.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "text/unicode.h"
#include "text/utf8.h"

namespace memmatch::text {
namespace {

// Who breaks lines for their width lets them have so many letters at least.
constexpr std::size_t kNarrowest = 40;

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r\v");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r\v") - begin + 1);
}

std::size_t width_of(std::string_view line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// "-----", "=====", "+---+---+"
bool is_rule(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of("=-~*_#+|:. ") == std::string_view::npos;
}

// Columns, held apart by signs or by blanks.
bool is_table_row(std::string_view line) {
  if (line.starts_with('|') || line.find('\t') != std::string_view::npos) return true;
  std::size_t gaps = 0;
  for (std::size_t at = line.find("   "); at != std::string_view::npos; at = line.find("   ", at)) {
    ++gaps;
    at = line.find_first_not_of(' ', at);
  }
  return gaps >= 2;
}

// The sign before a list item, with the blanks behind it; 0 where there is none.
std::size_t bullet_size(std::string_view line) {
  for (const std::string_view bullet : {"-", "*", "+", "•", "–", "·", "‣", "▪", "●"}) {
    if (line.starts_with(bullet) && line.substr(bullet.size()).starts_with(' '))
      return line.find_first_not_of(' ', bullet.size());
  }
  return 0;
}

// "1.", "2)", "(a)", "iv."
bool is_numbered(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos || blank > 6 || blank < 2) return false;
  std::string_view mark = line.substr(0, blank);
  if (mark.back() != '.' && mark.back() != ')') return false;
  mark.remove_suffix(1);
  if (mark.starts_with('(')) mark.remove_prefix(1);
  const auto all = [&](std::string_view of) {
    return !mark.empty() && mark.find_first_not_of(of) == std::string_view::npos;
  };
  return all("0123456789.") || all("ivx") ||
         (mark.size() == 1 && all("abcdefghijklmnopqrstuvwxyz"));
}

bool begins_in_lower_case(std::string_view line) {
  std::size_t next = 0;
  return !line.empty() && u_islower(static_cast<UChar32>(next_code_point(line, next))) != 0;
}

// Takes lines one by one and gives blocks.
class Joiner {
 public:
  explicit Joiner(Lines lines) : lines_(lines) {}

  void take(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text == "\f") {
      close();
    } else if (is_rule(text)) {
      underline(text);
    } else if (is_table_row(text)) {
      close();
      blocks_.push_back({std::string(text)});
    } else if (const std::size_t bullet = bullet_size(text)) {
      close();
      add(line, text.substr(bullet));
    } else {
      if (is_numbered(text)) close();
      add(line, text);
    }
  }

  std::vector<Block> blocks() && {
    close();
    return std::move(blocks_);
  }

 private:
  struct Line {
    std::string_view text;
    std::size_t width = 0;  // with what stands before the text
  };

  void add(std::string_view line, std::string_view text) {
    const std::size_t end = line.find_last_not_of(" \t\r\v") + 1;
    open_.push_back({text, width_of(line.substr(0, end))});
  }

  // The line above a rule is a heading, if it stands alone and is not much longer.
  void underline(std::string_view rule) {
    const char sign = rule.front();
    const bool heading = open_.size() == 1 && rule.size() + 2 >= open_.front().width &&
                         (sign == '=' || sign == '-' || sign == '~');
    close();
    if (heading) blocks_.back().heading = sign == '=' ? 1 : sign == '-' ? 2 : 3;
  }

  // Whether the next line's first word had room behind this one.
  bool has_room(std::size_t line, std::size_t widest) const {
    const std::string_view next = open_[line + 1].text;
    const std::size_t with_word = open_[line].width + 1 + width_of(next.substr(0, next.find(' ')));
    return lines_ == Lines::filled ? with_word <= widest : with_word * 100 <= widest * 85;
  }

  // Turns the lines since the last blank one into blocks.
  void close() {
    std::size_t widest = 0;
    for (const Line& line : open_) widest = std::max(widest, line.width);
    std::size_t with_room = 0;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) with_room += has_room(i, widest) ? 1 : 0;
    // Lines of verses, lists and addresses are short, or mostly have room for more.
    const bool filled = widest >= kNarrowest && with_room * 10 <= open_.size() * 3;
    bool joins = false;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (joins) {
        blocks_.back().text.append(1, ' ').append(open_[i].text);
      } else {
        blocks_.push_back({std::string(open_[i].text)});
      }
      joins = i + 1 < open_.size() &&
              (begins_in_lower_case(open_[i + 1].text) || open_[i].text.ends_with(',') ||
               (filled && !has_room(i, widest)));
    }
    open_.clear();
  }

  Lines lines_;
  std::vector<Line> open_;
  std::vector<Block> blocks_;
};

bool has_letter_or_digit(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (u_isalnum(static_cast<UChar32>(next_code_point(text, at)))) return true;
  }
  return false;
}

}  // namespace

std::vector<Block> plain_blocks(std::string_view text, Lines lines) {
  Joiner joiner(lines);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\f"), text.size());
    joiner.take(text.substr(0, end));
    if (end < text.size() && text[end] == '\f') joiner.take({});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::vector<Block> blocks = std::move(joiner).blocks();
  tidy_blocks(blocks);
  return blocks;
}

void tidy_blocks(std::vector<Block>& blocks) {
  for (Block& block : blocks) block.text = tidy(block.text);
  std::erase_if(blocks, [](const Block& block) { return !has_letter_or_digit(block.text); });
}

}  // namespace memmatch::text
