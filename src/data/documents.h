#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/bad_lines.h"
#include "memmatch/datastore.h"

namespace memmatch::data {

enum class DocumentFormat {
  fever_wiki,  // FEVER's wiki-pages: a folder of wiki-*.jsonl, or one file
  jsonl,       // {"title", "sentences": […]} or {"title", "text"}, see docs/file_formats.md
  beir,        // corpus.jsonl of a BEIR data set, or the folder that holds it
  kilt,        // KILT's knowledge source: a folder of *.json, or one file; paragraphs of pages
  text,        // plain text: a folder of *.txt, or one file; the file's name is the title
};

// None for anything but "fever-wiki", "jsonl", "beir", "kilt", "text".
std::optional<DocumentFormat> document_format(std::string_view name);

// Streams the documents of other people's files, with memory for one at a time.
class DocumentReader {
 public:
  virtual ~DocumentReader() = default;

  // False at the end. Throws Error(corrupt) naming file, line and field of a bad line.
  virtual bool next(NewDocument& document) = 0;

  // Where the document that next() gave last came from: "file:line".
  virtual std::string where() const = 0;

  const BadLines& bad_lines() const { return bad_lines_; }

  // Lines inside fever-wiki's `lines` field without a sentence number, which are left out.
  std::uint64_t ignored_sentence_lines() const { return ignored_sentence_lines_; }

  // Bytes of all input files, read so far and in all (0 where unknown).
  virtual Progress progress() const = 0;

  // For a document that the caller cannot use: counts it as a bad line, or throws Error(corrupt)
  // with the place in front.
  void reject(const Error& error) {
    bad_lines_.handle(Error(ErrorKind::corrupt, where() + ": " + error.what()));
  }

 protected:
  BadLines bad_lines_;
  std::uint64_t ignored_sentence_lines_ = 0;
};

std::unique_ptr<DocumentReader> open_documents(DocumentFormat format,
                                               const std::filesystem::path& path,
                                               bool skip_bad_lines = false);

}  // namespace memmatch::data
