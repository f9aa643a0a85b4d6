#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

namespace memmatch::store {
class Connection;
}

namespace memmatch::serve {

// A file that the server has opened by its path. Somebody may move another one to that path, or
// delete it, while the server goes on reading and writing what it has open: then answers would come
// from one file and others from another, and edits would be confirmed and lost.
class ServedFile {
 public:
  // To be made before the file is opened otherwise.
  explicit ServedFile(const std::string& path);
  ~ServedFile();
  ServedFile(ServedFile&&) noexcept;
  ServedFile& operator=(ServedFile&&) noexcept;

  // Whether the path still leads to the same file. From any thread.
  bool in_place() const;

  // Whether the file's permissions allow us to write. From any thread.
  bool writable() const;

  // Whether no other process is writing. Does not wait. From one thread at a time. Throws Error
  // where the file cannot be written to at all.
  bool free_to_write();

 private:
  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;                                // 0 where there was no such file
  std::unique_ptr<store::Connection> connection_;  // made with the first question for the lock
};

}  // namespace memmatch::serve
