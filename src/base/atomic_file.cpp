#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/files.h"
#include "base/rename.h"
#include "memmatch/error.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

// Tries "dir/.name.PID-1", "….PID-2" and so on until `make` made one that did not exist.
template <typename Make>
fs::path make_temporary(const fs::path& target, const char* what, Make make) {
  for (int attempt = 1;; ++attempt) {
    fs::path name = target.parent_path() /
                    fmt::format(".{}.{}-{}", target.filename().string(), getpid(), attempt);
    if (make(name)) return name;
    if (errno != EEXIST || attempt == 1000) throw_io_error(target, what, errno);
  }
}

// "models/m/" has an empty file name; its target is "models/m".
fs::path without_trailing_slash(fs::path path) {
  return path.has_filename() ? std::move(path) : path.parent_path();
}

// Where a link leads to, also if there is nothing yet; the path itself where it is none.
fs::path without_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as Linux has it
  std::error_code failed;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, failed); ++i)
    path = path.parent_path() / fs::read_symlink(path, failed);
  return path;
}

// Something that a file of the same name cannot stand for.
bool takes_a_stream(const fs::path& path) {
  std::error_code absent;
  const fs::file_status status = fs::status(path, absent);
  return fs::is_character_file(status) || fs::is_fifo(status) || fs::is_socket(status);
}

// A rename is only on the disk when the folder is.
void sync_folder(const fs::path& folder) {
  const fs::path name = folder.empty() ? fs::path(".") : folder;
  const int file = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) throw_io_error(name, "open", errno);
  const int result = fsync(file);
  const int code = errno;
  close(file);
  if (result != 0 && code != EINVAL) throw_io_error(name, "write it to the disk", code);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  if (takes_a_stream(target_)) {
    file_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) throw_io_error(target_, "write", errno);
    return;
  }
  target_ = without_links(std::move(target_));
  temporary_ = make_temporary(target_, "write", [&](const fs::path& name) {
    file_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file_ >= 0;
  });
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_io_error(target_, "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void AtomicFile::commit() {
  if (!temporary_.empty() && fsync(file_) != 0)
    throw_io_error(target_, "write it to the disk", errno);
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) throw_io_error(target_, "write", errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
    throw_io_error(target_, "rename", errno);
  temporary_.clear();
  sync_folder(target_.parent_path());
}

void write_file_atomically(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

AtomicFolder::AtomicFolder(fs::path target) : target_(without_trailing_slash(std::move(target))) {
  finish_exchange(target_);
  temporary_ = make_temporary(target_, "make the folder",
                              [](const fs::path& name) { return mkdir(name.c_str(), 0777) == 0; });
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void AtomicFolder::commit(bool replace) {
  sync_folder(temporary_);
  if (rename_to_new(temporary_, target_)) {
    temporary_.clear();
  } else if (errno != EEXIST) {
    throw_io_error(target_, "rename", errno);
  } else if (!replace) {
    throw Error(ErrorKind::conflict, target_.string() + ": exists already");
  } else if (!exchange(temporary_, target_)) {
    throw_io_error(target_, "replace", errno);
  }  // the old folder now has the temporary name, and goes with this object
  sync_folder(target_.parent_path());
}

}  // namespace memmatch
