#pragma once

#include <span>
#include <string_view>

namespace memmatch::serve {

// A file that is part of the program: those of the page under "page/…", and others by their names.
struct EmbeddedFile {
  std::string_view name;
  std::string_view content;
};

std::span<const EmbeddedFile> embedded_files();

}  // namespace memmatch::serve
