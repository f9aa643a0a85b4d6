#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Reports as HTML: one file without scripts that needs nothing else, neither files nor a network,
// in light and dark, on a screen, a phone or paper. Pure functions from plain structs to text.
// What the structs hold is plain text unless it is called html.

namespace memmatch::report {

// Text as HTML writes it, also within the quotes of an attribute.
std::string escape(std::string_view text);

struct Table {
  std::string caption;
  std::vector<std::string> columns;            // the first one heads the rows' names
  std::vector<std::vector<std::string>> rows;  // each begins with its name
  std::optional<std::size_t> marked;           // a row that stands out
};

std::string to_html(const Table& table);

// A figure that the reader should see first.
struct Tile {
  std::string value;
  std::string name;
};

std::string to_html(std::span<const Tile> tiles);

// Text as it is, in a box that scrolls.
std::string preformatted(std::string_view text);

struct Section {
  std::string title;
  std::string html;  // e.g. tables and figures, one after the other
};

struct Page {
  std::string title;
  std::string summary;  // one line below the title
  std::vector<Section> sections;
};

std::string to_html(const Page& page);

}  // namespace memmatch::report
