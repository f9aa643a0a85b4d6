#include "base/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "memmatch/error.h"

namespace memmatch {
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

void LineReader::Closer::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

LineReader::LineReader(const std::filesystem::path& path)
    : name_(path == "-" ? "standard input" : path.string()),
      file_(path == "-" ? stdin : std::fopen(path.c_str(), "rb")) {
  if (!file_) fail(name_, "open");
  buffer_.resize(std::size_t{1} << 18);
}

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
                  fmt::format("{}:{}: line of over {} MB; this is not a text file", name_,
                              line_number_ + 1, kLongestLine >> 20));
    }
  }
  if (!found && line.empty()) return false;
  if (line.ends_with('\r')) line.pop_back();
  if (line_number_++ == 0 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  return true;
}

bool LineReader::fill() {
  errno = 0;
  const std::size_t n = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
  if (n == 0 && std::ferror(file_.get())) fail(name_, "read");
  bytes_read_ += n;
  unread_ = std::string_view(buffer_).substr(0, n);
  return n > 0;
}

std::string LineReader::where() const { return fmt::format("{}:{}", name_, line_number_); }

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

std::uint64_t size_or_zero(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::uint64_t size = std::filesystem::file_size(path, ignored);
  return ignored ? 0 : size;
}

}  // namespace memmatch
