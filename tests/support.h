#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "memmatch/error.h"

namespace memmatch::test {

// A folder of its own for each test, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "memmatch-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  // Writes a file into the folder and gives its path.
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

// The data beside the repository that may not be part of it.
inline std::filesystem::path shared_data() {
  return std::filesystem::path(MEMMATCH_SOURCE_DIR).parent_path() / "shared" / "data";
}

inline std::filesystem::path fixture(std::string_view name) {
  return std::filesystem::path(MEMMATCH_SOURCE_DIR) / "tests" / "data" / name;
}

// The Error that `action` throws; a failed expectation where it throws none.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "expected an Error";
  return {ErrorKind::io, ""};
}

}  // namespace memmatch::test

// For tests that need files which are not everywhere.
#define MEMMATCH_REQUIRE(path)                                                              \
  do {                                                                                      \
    if (!std::filesystem::exists(path)) GTEST_SKIP() << (path).string() << " is not there"; \
  } while (false)
