#include "data/file_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/input_file.h"
#include "base/json.h"
#include "data/sections.h"

namespace memmatch::data {
namespace {

namespace fs = std::filesystem;

// The sort of JSON lines, by the first of them.
DocumentFormat json_format(const fs::path& file) {
  LineReader lines(file);
  std::string line;
  while (lines.next(line) && line.empty()) {
  }
  JsonParser parser;
  const JsonObject row = parser.parse_object(line, lines.where());
  if (row.has("wikipedia_title") && row.has("text")) return DocumentFormat::kilt;
  if (row.has("lines") && row.has("id")) return DocumentFormat::fever_wiki;
  if (row.has("_id") && row.has("text")) return DocumentFormat::beir;
  if (row.has("title") && (row.has("text") || row.has("sentences"))) return DocumentFormat::jsonl;
  row.fail(
      "these are JSON lines, but no documents: an object needs 'title' and 'text' or 'sentences'");
}

}  // namespace

FileDocuments::FileDocuments(FoundFiles found, const FileOptions& options)
    : found_(std::move(found)), options_(options) {
  bad_lines_.skip = options.skip_bad_lines;
  bad_files_.skip = options.skip_bad_files;
  bad_files_.most = found_.files.size();  // each is named
  for (const fs::path& file : found_.files) progress_.total += size_or_zero(file);
}

void FileDocuments::open(const fs::path& file) {
  const FileContent content = read_content(file, options_.largest);
  if (content.kind != FileKind::json_lines) {
    const std::string shown =
        file == "-" ? "standard input" : unpacked_name(file).filename().string();
    documents_ = documents_of(file == "-" ? shown : file.string(), shown,
                              file_blocks(file, content, options_.largest));
    return;
  }
  if (file == "-") {
    throw Error(
        ErrorKind::invalid_argument,
        "standard input: these are JSON lines; say of which sort: fever-wiki, jsonl, beir or "
        "kilt, before the '-'");
  }
  lines_ = open_documents(json_format(file), file, options_.skip_bad_lines);
}

void FileDocuments::close() {
  if (!open_) return;
  if (lines_) {
    bad_lines_.add(lines_->bad_lines());
    ignored_sentence_lines_ += lines_->ignored_sentence_lines();
  }
  progress_.done += size_or_zero(found_.files[next_ - 1]);
  open_ = false;
  lines_.reset();
  documents_.clear();
  taken_ = 0;
}

bool FileDocuments::next(NewDocument& document) {
  for (;;) {
    try {
      if (taken_ < documents_.size()) {
        document = std::move(documents_[taken_++]);
        return true;
      }
      if (lines_ && lines_->next(document)) return true;
      close();
      if (next_ == found_.files.size()) return false;
      open_ = true;
      open(found_.files[next_++]);
    } catch (const Error& error) {
      bad_files_.handle(error);
      close();
    }
  }
}

std::string FileDocuments::where() const {
  if (lines_) return lines_->where();
  return next_ == 0 ? std::string() : found_.files[next_ - 1].string();
}

Progress FileDocuments::progress() const {
  return {progress_.done + (lines_ ? lines_->progress().done : 0), progress_.total};
}

}  // namespace memmatch::data
