#pragma once

#include <string_view>
#include <vector>

#include "text/blocks.h"

namespace memmatch::data {

// The text of a page: headings, paragraphs, list items, rows of tables. Without what surrounds it
// (navigation, footers, asides, scripts); where something is marked as the main part or as an
// article, that alone. A page without headings has its title for one. Throws Error(unsupported)
// where elements are nested too deeply.
std::vector<text::Block> html_blocks(std::string_view utf8);

// The encoding that the page says it is in; empty where it does not.
std::string_view html_encoding(std::string_view bytes);

}  // namespace memmatch::data
