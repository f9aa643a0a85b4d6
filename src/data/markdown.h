#pragma once

#include <string_view>
#include <vector>

#include "text/blocks.h"

namespace memmatch::data {

// The text of Markdown (CommonMark with tables), without its signs.
std::vector<text::Block> markdown_blocks(std::string_view utf8);

}  // namespace memmatch::data
