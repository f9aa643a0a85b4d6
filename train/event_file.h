#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace memmatch::train {

// One number of a step, under the name by which TensorBoard shows it, e.g. "loss/level1".
struct Scalar {
  std::string_view name;
  double value = 0;
};

// An event file of TensorBoard. Each run of the trainer writes one of its own into the same folder;
// TensorBoard reads them in the order of their names, which begin with the time.
class EventFile {
 public:
  // Makes the folder if it is not there, and a new file in it. `first_step` is the step that
  // comes next: what an earlier run has written for it and for later steps is dropped from the
  // curves. Throws Error(io), here and below.
  EventFile(const std::filesystem::path& folder, std::uint64_t first_step);

  // Numbers of a step, `wall_time` in seconds since 1970.
  void add(std::uint64_t step, double wall_time, std::span<const Scalar> scalars);

  // Hands everything to the operating system: TensorBoard sees it, and it survives our end.
  void flush();

  const std::filesystem::path& path() const { return path_; }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void write_record(std::string_view data);
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// CRC-32C (Castagnoli), as RFC 3720 defines it.
std::uint32_t crc32c(std::string_view data);

}  // namespace memmatch::train
