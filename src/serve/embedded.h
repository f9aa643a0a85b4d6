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

// The content of the file of that name; empty where there is none.
inline std::string_view embedded_file(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == name) return file.content;
  }
  return {};
}

}  // namespace memmatch::serve
