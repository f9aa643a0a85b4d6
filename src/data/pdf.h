#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/blocks.h"

namespace memmatch::data {

// The text of a PDF with its pages, by poppler's pdftotext in a process of its own with limits for
// memory and time: what a stranger's file does to poppler is not done to us. Throws Error:
// unsupported where pdftotext is not installed, where a password or the recognition of scanned
// letters is needed, and beyond a limit; corrupt.
std::vector<text::Block> pdf_blocks(std::string_view bytes, std::uint64_t largest);

}  // namespace memmatch::data
