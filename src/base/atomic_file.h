#pragma once

#include <filesystem>
#include <string_view>

namespace memmatch {

// A file that appears under its name all at once or not at all: written beside it under another
// name, brought to the disk, and renamed by commit(). Destroyed without commit(), it leaves
// nothing. A link stays one, and the file that it leads to is replaced. Devices and pipes
// ("/dev/null", "/dev/stdout") are never replaced: what is written goes straight to them.
class AtomicFile {
 public:
  // Throws Error(io), here and below.
  explicit AtomicFile(std::filesystem::path target);

  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty for a device or pipe
  int file_ = -1;
};

void write_file_atomically(const std::filesystem::path& target, std::string_view content);

// A folder that appears under its name all at once, with all its files. Replacing an existing one
// is the caller's decision, by commit(true).
class AtomicFolder {
 public:
  explicit AtomicFolder(std::filesystem::path target);

  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;
  ~AtomicFolder();

  // Where to write the files until commit().
  const std::filesystem::path& path() const { return temporary_; }

  // Throws Error(conflict) where the target exists and `replace` is false.
  void commit(bool replace);

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
};

}  // namespace memmatch
