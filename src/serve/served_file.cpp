#include "serve/served_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "memmatch/error.h"
#include "store/sqlite.h"

namespace memmatch::serve {

ServedFile::ServedFile(const std::string& path) : path_(std::filesystem::absolute(path)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

ServedFile::~ServedFile() = default;
ServedFile::ServedFile(ServedFile&&) noexcept = default;
ServedFile& ServedFile::operator=(ServedFile&&) noexcept = default;

bool ServedFile::in_place() const {
  struct stat status {};
  return ::stat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

bool ServedFile::writable() const { return ::access(path_.c_str(), W_OK) == 0; }

// SQLite tells by trying: a transaction that is begun for writing and given up at once.
bool ServedFile::free_to_write() {
  if (!connection_) {
    connection_ = std::make_unique<store::Connection>(
        path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, path_);
    connection_->set_patience(std::chrono::milliseconds(0));
  }
  try {
    const store::Transaction transaction(*connection_, store::Transaction::Kind::write);
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::conflict) throw;
    return false;
  }
}

}  // namespace memmatch::serve
