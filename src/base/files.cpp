#include "base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "memmatch/error.h"

namespace memmatch {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& name, const char* what) {
  const int code = errno;
  const ErrorKind kind = code == ENOENT ? ErrorKind::not_found : ErrorKind::io;
  throw Error(kind, fmt::format("{}: cannot {}: {}", name, what, std::strerror(code)));
}

constexpr std::size_t kOutputBuffer = std::size_t{1} << 16;

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) fail(path.string(), "open");
  std::string content;
  char chunk[1 << 16];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, file.get()))
    content.append(chunk, n);
  if (std::ferror(file.get())) fail(path.string(), "read");
  return content;
}

LineReader::LineReader(const std::filesystem::path& path)
    : file_(path), buffer_(std::size_t{1} << 18, '\0') {}

bool LineReader::next(std::string& line) {
  line.clear();
  bool found = false;
  while (!found) {
    if (unread_.empty() && !fill()) break;
    const std::size_t end = unread_.find('\n');
    found = end != std::string_view::npos;
    line.append(unread_.substr(0, end));
    unread_.remove_prefix(found ? end + 1 : unread_.size());
    if (line.size() > kLongestLine) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}:{}: line of over {} MB; this is not a text file", file_.name(),
                              line_number_ + 1, kLongestLine >> 20));
    }
  }
  if (!found && line.empty()) return false;
  if (line.ends_with('\r')) line.pop_back();
  if (line_number_++ == 0 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  return true;
}

bool LineReader::fill() {
  unread_ = std::string_view(buffer_).substr(0, file_.read(buffer_));
  return !unread_.empty();
}

std::string LineReader::where() const { return fmt::format("{}:{}", file_.name(), line_number_); }

OutputFile::OutputFile(const std::filesystem::path& path) {
  if (path != "-") file_.emplace(path);
}

void OutputFile::write_line(std::string_view line) {
  buffer_.append(line).push_back('\n');
  if (buffer_.size() >= kOutputBuffer) flush();
}

void OutputFile::flush() {
  if (file_) {
    file_->write(buffer_);
  } else if (std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) != buffer_.size()) {
    fail("standard output", "write");
  }
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  if (file_) {
    file_->commit();
  } else if (std::fflush(stdout) != 0) {
    fail("standard output", "write");
  }
}

void throw_io_error(const fs::path& path, std::string_view action, int code) {
  throw Error(ErrorKind::io,
              fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(code)));
}

bool path_exists(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw_io_error(path, "look at it", error.value());
  return fs::exists(status);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw_io_error(path, "look at it", error.value());
  return fs::is_directory(status);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  fs::directory_iterator next(folder, error);
  while (!error && next != fs::directory_iterator()) {
    entries.push_back(next->path());
    next.increment(error);
  }
  if (error) throw_io_error(folder, "list the folder", error.value());
  std::sort(entries.begin(), entries.end());
  return entries;
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw_io_error(path, "remove it", error.value());
}

void cut_file(const fs::path& path, std::uint64_t size) {
  std::error_code error;
  fs::resize_file(path, size, error);
  if (error) throw_io_error(path, "cut it", error.value());
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw_io_error(path, "make the folder", error.value());
}

fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error);
  if (error) throw_io_error(path, "tell where it is", error.value());
  return absolute;
}

std::uint64_t size_or_zero(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::uint64_t size = std::filesystem::file_size(path, ignored);
  return ignored ? 0 : size;
}

}  // namespace memmatch
