#include "base/scratch_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>

#include "base/files.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "memmatch-scratch-";
// A younger folder may be about to be locked.
constexpr std::chrono::minutes kLeastAge{1};

// The folder's descriptor; -1 where it is another's, or a living process has it locked.
int lock(const fs::path& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat status {};
  if (fstat(file, &status) == 0 && status.st_uid == geteuid() &&
      flock(file, LOCK_EX | LOCK_NB) == 0)
    return file;
  close(file);
  return -1;
}

bool is_old(const fs::path& folder) {
  std::error_code failed;
  const fs::file_time_type changed = fs::last_write_time(folder, failed);
  return !failed && fs::file_time_type::clock::now() - changed > kLeastAge;
}

// What cannot be removed stays: it is in nobody's way.
void remove_leftovers(const fs::path& parent) {
  std::error_code failed;
  for (fs::directory_iterator next(parent, failed), end; !failed && next != end;
       next.increment(failed)) {
    const fs::path folder = next->path();
    if (!folder.filename().string().starts_with(kPrefix) || !is_old(folder)) continue;
    const int file = lock(folder);
    if (file < 0) continue;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    close(file);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const fs::path parent = fs::temp_directory_path();
  remove_leftovers(parent);
  std::string name = (parent / (std::string(kPrefix) + "XXXXXX")).string();
  if (!mkdtemp(name.data())) throw_io_error(name, "make the folder", errno);
  path_ = name;
  lock_ = lock(path_);  // where the file system knows no locks, nobody can take it either
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

}  // namespace memmatch
