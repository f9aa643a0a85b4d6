#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/documents.h"
#include "data/file_text.h"
#include "data/found_files.h"

namespace memmatch::data {

struct FileOptions {
  bool skip_bad_lines = false;  // of JSON lines
  bool skip_bad_files = false;  // a file that cannot be read is left out and counted
  std::uint64_t largest = kLargestFile;
};

// The documents of files of any kind: each file is read as what it is (file_text.h). Texts are
// known by their paths; documents of JSON lines by what these say.
class FileDocuments : public DocumentReader {
 public:
  FileDocuments(FoundFiles found, const FileOptions& options);

  // Throws Error as documents.h and file_text.h say, where bad files are not to be skipped.
  bool next(NewDocument& document) override;
  std::string where() const override;
  Progress progress() const override;

  // Files that could not be read, whole or from some place on.
  const BadLines& bad_files() const { return bad_files_; }
  const FoundFiles& found() const { return found_; }

 private:
  void open(const std::filesystem::path& file);
  void close();

  FoundFiles found_;
  FileOptions options_;
  BadLines bad_files_;
  std::size_t next_ = 0;                // of the files
  bool open_ = false;                   // the one before it is being read
  std::vector<NewDocument> documents_;  // of the file at hand, from `taken_` on
  std::size_t taken_ = 0;
  std::unique_ptr<DocumentReader> lines_;  // where it has JSON lines
  Progress progress_;
};

}  // namespace memmatch::data
