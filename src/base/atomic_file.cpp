#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "memmatch/error.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* what, int code) {
  throw Error(ErrorKind::io,
              fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(code)));
}

// Tries "dir/.name.PID-1", "….PID-2" and so on until `make` made one that did not exist.
template <typename Make>
fs::path make_temporary(const fs::path& target, const char* what, Make make) {
  for (int attempt = 1;; ++attempt) {
    fs::path name = target.parent_path() /
                    fmt::format(".{}.{}-{}", target.filename().string(), getpid(), attempt);
    if (make(name)) return name;
    if (errno != EEXIST || attempt == 1000) fail(target, what, errno);
  }
}

// "models/m/" has an empty file name; its target is "models/m".
fs::path without_trailing_slash(fs::path path) {
  return path.has_filename() ? std::move(path) : path.parent_path();
}

// A rename is only on the disk when the folder is.
void sync_folder(const fs::path& folder) {
  const fs::path name = folder.empty() ? fs::path(".") : folder;
  const int file = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) fail(name, "open", errno);
  const int result = fsync(file);
  const int code = errno;
  close(file);
  if (result != 0 && code != EINVAL) fail(name, "write it to the disk", code);
}

// Whether the file system cannot do what renameat2 offers beyond rename; network ones often cannot.
bool renameat2_is_unknown() { return errno == EINVAL || errno == ENOSYS; }

// False with errno where it failed; EEXIST where `to` exists.
bool rename_to_new(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (!renameat2_is_unknown()) return false;
  if (fs::exists(to)) {
    errno = EEXIST;
    return false;
  }
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool exchange(const fs::path& a, const fs::path& b) {
  if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (!renameat2_is_unknown()) return false;
  const std::string aside = a.string() + ".old";
  return std::rename(b.c_str(), aside.c_str()) == 0 && std::rename(a.c_str(), b.c_str()) == 0 &&
         std::rename(aside.c_str(), a.c_str()) == 0;
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
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
    if (n < 0) fail(target_, "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void AtomicFile::commit() {
  if (fsync(file_) != 0) fail(target_, "write it to the disk", errno);
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail(target_, "write", errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, "rename", errno);
  temporary_.clear();
  sync_folder(target_.parent_path());
}

void write_file_atomically(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

AtomicFolder::AtomicFolder(fs::path target) : target_(without_trailing_slash(std::move(target))) {
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
    fail(target_, "rename", errno);
  } else if (!replace) {
    throw Error(ErrorKind::conflict, target_.string() + ": exists already");
  } else if (!exchange(temporary_, target_)) {
    fail(target_, "replace", errno);
  }  // the old folder now has the temporary name, and goes with this object
  sync_folder(target_.parent_path());
}

}  // namespace memmatch
