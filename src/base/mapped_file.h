#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace memmatch {

// A file's bytes, read-only, brought into memory by the system as they are looked at. The file must
// not be shortened while it is mapped: replace it by renaming, as AtomicFile does.
class MappedFile {
 public:
  // Throws Error(not_found / io), naming the file.
  explicit MappedFile(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace memmatch
