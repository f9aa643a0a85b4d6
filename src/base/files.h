#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/input_file.h"

namespace memmatch {

// The whole file as it is. Throws Error(not_found / io), naming the file.
std::string read_file(const std::filesystem::path& path);

// Reads a text file line by line, with memory for one line at a time. "-" is standard input; what
// is packed with gzip, xz or zstd is unpacked on the way.
class LineReader {
 public:
  // A longer line is an error: it is not a line of text, and must not eat the memory.
  static constexpr std::size_t kLongestLine = std::size_t{256} << 20;

  explicit LineReader(const std::filesystem::path& path);

  // The next line without its end ("\n" or "\r\n"), and without a byte order mark at the start of
  // the file. False at the end of the file. Throws Error(io), and Error(corrupt) for packed files
  // that are damaged or cut off: a file that was read to its end is whole.
  bool next(std::string& line);

  // "file.jsonl:12", for messages about the line that next() gave last.
  std::string where() const;

  std::uint64_t line_number() const { return line_number_; }
  // Of the file as it is, packed or not: what part of its size is done.
  std::uint64_t bytes_read() const { return file_.bytes_read(); }

 private:
  bool fill();

  InputFile file_;
  std::string buffer_;
  std::string_view unread_;
  std::uint64_t line_number_ = 0;
};

// Writes a text file that appears under its name only when it is complete; "-" is standard output.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);

  void write_line(std::string_view line);

  // Makes the file durable and gives it its name. Without this call nothing is left behind.
  void finish();

 private:
  void flush();

  std::optional<AtomicFile> file_;  // none: standard output
  std::string buffer_;
};

// Looking at the file system and changing it, with errors that name the path: all of these throw
// Error(io).

// `action` completes "cannot …": "write", "make the folder".
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action,
                                 int code);

// Also for folders; false for what does not exist, links that lead nowhere included.
bool path_exists(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

// All that is in the folder, in the order of names.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

// What is not there need not be removed.
void remove_file(const std::filesystem::path& path);
void cut_file(const std::filesystem::path& path, std::uint64_t size);
void make_folders(const std::filesystem::path& path);
std::filesystem::path absolute_path(const std::filesystem::path& path);

// Size in bytes; 0 for what has none (standard input, pipes).
std::uint64_t size_or_zero(const std::filesystem::path& path);

}  // namespace memmatch
