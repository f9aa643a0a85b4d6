#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

// A datastore for one use: to verify against files or texts without making one beforehand.
//
//   const auto notes = memmatch::TemporaryStore::of_paths({{"notes.txt", "reports/"}});
//   auto verifier = memmatch::Verifier::open(notes.file(), "models/default", {});

namespace memmatch {

class ScratchFolder;

// A text to verify against.
struct GivenDocument {
  std::string title = {};  // may be empty
  std::string text = {};
};

// Gone with this object, which must outlive what was opened on it. What a killed process left in
// the system's temporary folder is removed by the next that makes one.
class TemporaryStore {
 public:
  struct FileSettings {
    bool skip_bad_files = false;  // a file that cannot be read is left out, and said to be
    std::uint64_t largest_file = std::uint64_t{256} << 20;  // bytes, unpacked
  };

  // Documents as `memmatch import` reads them: text, Markdown, HTML, PDF, DOCX and JSON lines, also
  // packed; of folders all such files, with those in their folders; "-" is a text from standard
  // input. Throws Error where there is nothing to read, or a file cannot be read.
  static TemporaryStore of_paths(std::span<const std::string> paths, const FileSettings& settings);
  static TemporaryStore of_paths(std::span<const std::string> paths);

  // Running texts, which are split into sentences. Throws Error(invalid_argument) where there is no
  // sentence.
  static TemporaryStore of_texts(std::span<const GivenDocument> documents);

  TemporaryStore(TemporaryStore&& other) noexcept;
  TemporaryStore& operator=(TemporaryStore&&) = delete;
  ~TemporaryStore();

  std::filesystem::path file() const;

  // What was not read, for people: "left out, being no documents: 3 .png".
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  TemporaryStore();

  std::unique_ptr<ScratchFolder> folder_;
  std::vector<std::string> left_out_;
};

}  // namespace memmatch
