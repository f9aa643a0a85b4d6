#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.h"

namespace memmatch {

// The whole file. Throws Error(not_found / io), naming the file.
std::string read_file(const std::filesystem::path& path);

// Reads a text file line by line, with memory for one line at a time. "-" is standard input.
class LineReader {
 public:
  // A longer line is an error: it is not a line of text, and must not eat the memory.
  static constexpr std::size_t kLongestLine = std::size_t{256} << 20;

  explicit LineReader(const std::filesystem::path& path);

  // The next line without its end ("\n" or "\r\n"), and without a byte order mark at the start of
  // the file. False at the end of the file. Throws Error(io).
  bool next(std::string& line);

  // "file.jsonl:12", for messages about the line that next() gave last.
  std::string where() const;

  std::uint64_t line_number() const { return line_number_; }
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  struct Closer {
    void operator()(std::FILE* file) const;
  };

  bool fill();

  std::string name_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::string buffer_;
  std::string_view unread_;
  std::uint64_t line_number_ = 0;
  std::uint64_t bytes_read_ = 0;
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

// Size in bytes; 0 for what has none (standard input, pipes).
std::uint64_t size_or_zero(const std::filesystem::path& path);

}  // namespace memmatch
