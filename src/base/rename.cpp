#include "base/rename.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/files.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

bool rename_with(const fs::path& from, const fs::path& to, unsigned flags) {
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
}

bool renameat2_is_unknown() { return errno == EINVAL || errno == ENOSYS; }

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

}  // namespace

bool rename_to_new(const fs::path& from, const fs::path& to) {
  if (rename_with(from, to, RENAME_NOREPLACE)) return true;
  return renameat2_is_unknown() && plain::rename_to_new(from, to);
}

bool exchange(const fs::path& a, const fs::path& b) {
  if (rename_with(a, b, RENAME_EXCHANGE)) return true;
  return renameat2_is_unknown() && plain::exchange(a, b);
}

void finish_exchange(const fs::path& b) {
  const fs::path aside = plain::aside_name(b);
  if (!path_exists(aside)) return;
  if (path_exists(b)) {
    std::error_code ignored;  // it is in nobody's way
    fs::remove_all(aside, ignored);
  } else if (std::rename(aside.c_str(), b.c_str()) != 0) {
    throw_io_error(b, "be given its name back", errno);
  }
}

namespace plain {

fs::path aside_name(const fs::path& b) {
  return b.parent_path() / (".old." + b.filename().string());
}

// A hard link is made only where there is nothing. Where there are none (folders, FAT), somebody
// may come between looking and renaming; nothing more can be done.
bool rename_to_new(const fs::path& from, const fs::path& to) {
  if (link(from.c_str(), to.c_str()) == 0) return unlink(from.c_str()) == 0;
  if (errno == EEXIST || is_there(to)) {
    errno = EEXIST;
    return false;
  }
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool exchange(const fs::path& a, const fs::path& b) {
  const fs::path aside = aside_name(b);
  if (std::rename(b.c_str(), aside.c_str()) != 0) return false;
  if (std::rename(a.c_str(), b.c_str()) != 0) {
    const int code = errno;
    std::rename(aside.c_str(), b.c_str());
    errno = code;
    return false;
  }
  return std::rename(aside.c_str(), a.c_str()) == 0;
}

}  // namespace plain
}  // namespace memmatch
