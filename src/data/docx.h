#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/blocks.h"

namespace memmatch::data {

// Whether these bytes are a zip archive, which a document of Word's is.
bool is_zip(std::string_view bytes);

// The text of a .docx: headings by their styles, paragraphs, rows of tables. Footnotes, comments
// and what was deleted with changes tracked are left out. Throws Error: unsupported for archives
// that are something else, or unpack to more than `largest` bytes; corrupt.
std::vector<text::Block> docx_blocks(std::string_view bytes, std::uint64_t largest);

}  // namespace memmatch::data
