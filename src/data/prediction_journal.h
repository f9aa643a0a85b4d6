#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace memmatch::data {

// A file of lines that takes long to make. Until it is complete, its lines stand in a file of the
// same name with ".partial" behind it, from which a later run goes on. It appears under its own
// name when finish() is called.
class PredictionJournal {
 public:
  // `setting` says what the lines depend on: what an earlier run left is used only if it is the
  // same. One line of text. Throws Error(io).
  PredictionJournal(const std::filesystem::path& target, std::string_view setting);

  // Lines that an earlier run left.
  std::uint64_t done() const { return done_; }

  void append(std::string_view line);
  void finish();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void take_up(std::string_view setting);

  std::filesystem::path target_;
  std::filesystem::path partial_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::uint64_t done_ = 0;
};

}  // namespace memmatch::data
