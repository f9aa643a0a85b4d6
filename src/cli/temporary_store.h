#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace memmatch::cli {

// A datastore of files and folders for one call of the program, gone with this object.
class TemporaryStore {
 public:
  // Texts (.txt) and JSON lines (.jsonl, also packed) as `import` reads them; of folders all such
  // files, with those in their folders; '-' is a text from standard input. Says on stderr what was
  // left out. Throws Error where there is nothing to read, or a file cannot be read.
  explicit TemporaryStore(const std::vector<std::string>& paths);
  TemporaryStore(const TemporaryStore&) = delete;
  TemporaryStore& operator=(const TemporaryStore&) = delete;
  ~TemporaryStore();

  std::string file() const { return folder_ / "store.db"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace memmatch::cli
