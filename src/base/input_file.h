#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace memmatch {

// The bytes of a file, or of standard input ("-"). What is packed with gzip, xz or zstd comes out
// unpacked: the first bytes tell.
class InputFile {
 public:
  // Throws Error: not_found, io; corrupt where the name ends in .gz, .xz or .zst and the content
  // is something else.
  explicit InputFile(const std::filesystem::path& path);
  InputFile(InputFile&&) noexcept;
  InputFile& operator=(InputFile&&) noexcept;
  ~InputFile();

  // The next bytes, as many as there is room for or fewer; 0 at the end. Throws Error: io; corrupt
  // where packed content is damaged or cut off. Checksums come last: until the end is reached,
  // damaged content may have come out.
  std::size_t read(std::span<char> to);

  // Of the file as it is, packed or not.
  std::uint64_t bytes_read() const;

  // The path, or "standard input".
  const std::string& name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The name that a file has when it is unpacked: without .gz, .xz or .zst.
std::filesystem::path unpacked_name(const std::filesystem::path& file);

}  // namespace memmatch
