#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "train/event_file.h"

namespace memmatch::train {

// What a run measures: lines of metrics.jsonl (docs/file_formats.md) and, from the same numbers,
// TensorBoard's event files in the folder tensorboard/.
class MetricsLog {
 public:
  // Goes on after the first `bytes` bytes of the file: what comes later belongs to steps that are
  // taken again. Throws Error(io), here and below.
  MetricsLog(const std::filesystem::path& run, std::uint64_t bytes, std::int64_t next_step);

  // `line` has an "event" and a "step"; the time is added.
  void write(nlohmann::ordered_json line);

  // How many bytes the file has.
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::filesystem::path path_;
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file_;
  std::uint64_t bytes_;
  EventFile events_;
};

}  // namespace memmatch::train
