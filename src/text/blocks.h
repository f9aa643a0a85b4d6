#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memmatch::text {

// A part of a text that no sentence crosses: a paragraph, a list item, a table's row, a heading.
struct Block {
  std::string text;
  int heading = 0;  // its level, from 1 on; 0: it is none
  int page = 0;     // from 1 on; 0: the text has no pages
};

// How exactly the lines of a paragraph are filled.
enum class Lines {
  filled,  // plain text: a line ends where the next word has no room
  ragged,  // of a page, whose letters differ in width
};

// The blocks of plain text. Lines that were broken for their width are joined: those behind which
// the next word had no room, as the lines around them show, and those that the next line takes up
// in lower case. Blank lines, list items, rows of tables and underlined headings stand for
// themselves.
std::vector<Block> plain_blocks(std::string_view text, Lines lines = Lines::filled);

// Takes away blocks without a letter or digit, and brings the others into one line each.
void tidy_blocks(std::vector<Block>& blocks);

}  // namespace memmatch::text
