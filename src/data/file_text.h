#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "text/blocks.h"

namespace memmatch::data {

// A file that is read as a whole may have so many bytes, unpacked, unless the caller says
// otherwise.
inline constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20;

enum class FileKind {
  text,
  rows,  // CSV and its like: a line is a row
  markdown,
  html,
  pdf,
  docx,
  json_lines,  // documents.h knows the sorts of them
};

// The kind of file whose content, unpacked, begins with these bytes: the content decides where it
// can, else the name. Throws Error(unsupported) for what is known and cannot be read.
FileKind kind_of_file(const std::filesystem::path& file, std::string_view first_bytes);

// The ending that says what a file is, in lower case and without that of its packing: ".jsonl" of
// "a.jsonl.gz"; empty where there is none.
std::string ending_of(const std::filesystem::path& file);

struct FileContent {
  FileKind kind = FileKind::text;
  std::string bytes;  // none of JSON lines, which are read line by line
};

// Reads a file, packed or not ("-": standard input). Throws Error naming it: not_found, io,
// corrupt; unsupported where it unpacks to more than `largest` bytes.
FileContent read_content(const std::filesystem::path& file, std::uint64_t largest = kLargestFile);

// The text of a file of any kind but JSON lines, as its paragraphs, headings and pages. Throws
// Error as read_content(), and where it cannot be read as what it is.
std::vector<text::Block> file_blocks(const std::filesystem::path& file, const FileContent& content,
                                     std::uint64_t largest = kLargestFile);
std::vector<text::Block> read_blocks(const std::filesystem::path& file,
                                     std::uint64_t largest = kLargestFile);

}  // namespace memmatch::data
