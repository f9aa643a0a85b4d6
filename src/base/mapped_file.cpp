#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "memmatch/error.h"

namespace memmatch {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int code) {
  const ErrorKind kind = code == ENOENT ? ErrorKind::not_found : ErrorKind::io;
  throw Error(kind, fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(code)));
}

std::span<const std::byte> map(int file, const std::filesystem::path& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) fail(path, "look at it", errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::invalid_argument, path.string() + ": not a regular file");
  }
  if (status.st_size == 0) return {};  // mmap refuses to map nothing
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (address == MAP_FAILED) fail(path, "map it into memory", errno);
  return {static_cast<const std::byte*>(address), size};
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path, "open", errno);
  try {
    bytes_ = map(file, path);
  } catch (...) {
    close(file);
    throw;
  }
  close(file);  // the mapping stays
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace memmatch
