#pragma once

#include <filesystem>

namespace memmatch {

// A folder in the system's temporary one, for what only this process needs; gone with this object.
// A process that is killed leaves it: the next one that makes a scratch folder removes it then.
class ScratchFolder {
 public:
  // Throws Error(io).
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_;  // held as long as the process lives, whatever ends it
};

}  // namespace memmatch
