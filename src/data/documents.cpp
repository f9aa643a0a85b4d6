#include "data/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "data/file_text.h"
#include "data/sections.h"
#include "text/dump_text.h"
#include "text/titles.h"
#include "text/unicode.h"

namespace memmatch::data {
namespace {

namespace fs = std::filesystem;

// The files below `path` (or `path` itself) whose names, when unpacked, fit; in the order of their
// names.
template <typename Fits>
std::vector<fs::path> list_files(const fs::path& path, Fits fits, std::string_view expected) {
  if (!is_folder(path)) return {path};
  std::vector<fs::path> files = entries_of(path);
  std::erase_if(files, [&](const fs::path& file) { return !fits(unpacked_name(file)); });
  if (files.empty()) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: the folder holds no {}", path.string(), expected));
  }
  const auto twice = std::adjacent_find(
      files.begin(), files.end(),
      [](const fs::path& a, const fs::path& b) { return unpacked_name(a) == unpacked_name(b); });
  if (twice != files.end()) {
    throw Error(ErrorKind::conflict,
                fmt::format("{}: also there as {}; leave one of the two in the folder",
                            twice->string(), std::next(twice)->filename().string()));
  }
  return files;
}

// Goes through a list of files, keeping count of the bytes.
class FileList {
 public:
  explicit FileList(std::vector<fs::path> files) : files_(std::move(files)) {
    for (const fs::path& file : files_) progress_.total += size_or_zero(file);
  }

  // The next line, or the end of the last file.
  bool next_line(std::string& line) {
    while (lines_ || open_next()) {
      if (lines_->next(line)) return true;
      close();
    }
    return false;
  }

  std::string where() const { return lines_ ? lines_->where() : std::string(); }

  Progress progress() const {
    return {progress_.done + (lines_ ? lines_->bytes_read() : 0), progress_.total};
  }

 private:
  bool open_next() {
    if (next_ == files_.size()) return false;
    lines_.emplace(files_[next_++]);
    return true;
  }

  void close() {
    progress_.done += lines_->bytes_read();
    lines_.reset();
  }

  std::vector<fs::path> files_;
  std::size_t next_ = 0;
  std::optional<LineReader> lines_;
  Progress progress_;
};

// One JSON object a line; the formats differ in what they make of it.
class JsonLinesReader : public DocumentReader {
 public:
  JsonLinesReader(std::vector<fs::path> files, bool skip_bad_lines) : files_(std::move(files)) {
    bad_lines_.skip = skip_bad_lines;
  }

  bool next(NewDocument& document) override {
    while (files_.next_line(line_)) {
      if (line_.empty()) continue;
      try {
        document = {};
        if (read(parser_.parse_object(line_, where()), document)) return true;
      } catch (const Error& error) {
        bad_lines_.handle(error);
      }
    }
    return false;
  }

  std::string where() const override { return files_.where(); }
  Progress progress() const override { return files_.progress(); }

 protected:
  // False where the line is in order but holds no document.
  virtual bool read(const JsonObject& row, NewDocument& document) = 0;

 private:
  FileList files_;
  JsonParser parser_;
  std::string line_;
};

class FeverWikiReader : public JsonLinesReader {
 public:
  using JsonLinesReader::JsonLinesReader;

 private:
  // Pages without a title or a text are part of the dump and mean nothing.
  bool read(const JsonObject& row, NewDocument& document) override {
    document.raw_title = row.string("id");
    if (document.raw_title.empty() || row.string("text").empty()) return false;
    document.title = text::display_title(document.raw_title);
    std::string_view lines = row.string("lines");
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      read_line(lines.substr(0, end), document);
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    keep_last_of_each_number(document.sentences);
    return true;
  }

  // "number ⇥ sentence ⇥ links…"; a sentence that goes over a line break leaves lines without
  // number.
  void read_line(std::string_view line, NewDocument& document) {
    if (line.empty()) return;
    const std::size_t tab = line.find('\t');
    NewSentence sentence;
    const char* digits_end = line.data() + std::min(tab, line.size());
    const auto [end, error] = std::from_chars(line.data(), digits_end, sentence.number);
    if (tab == std::string_view::npos || error != std::errc() || end != digits_end ||
        sentence.number < 0) {
      ++ignored_sentence_lines_;
      return;
    }
    line.remove_prefix(tab + 1);
    sentence.text = text::clean_dump_sentence(line.substr(0, line.find('\t')));
    document.sentences.push_back(std::move(sentence));
  }

  static void keep_last_of_each_number(std::vector<NewSentence>& sentences) {
    const auto ascending = [](const auto& a, const auto& b) { return a.number >= b.number; };
    if (std::adjacent_find(sentences.begin(), sentences.end(), ascending) == sentences.end())
      return;
    std::stable_sort(sentences.begin(), sentences.end(),
                     [](const auto& a, const auto& b) { return a.number < b.number; });
    std::vector<NewSentence> last;
    for (NewSentence& sentence : sentences) {
      if (!last.empty() && last.back().number == sentence.number) last.pop_back();
      last.push_back(std::move(sentence));
    }
    sentences = std::move(last);
  }
};

class PlainJsonReader : public JsonLinesReader {
 public:
  using JsonLinesReader::JsonLinesReader;

 private:
  bool read(const JsonObject& row, NewDocument& document) override {
    document.title = text::tidy(row.string("title"));
    if (document.title.empty()) row.fail("field 'title' is empty");
    document.raw_title = row.optional_string("id").value_or(document.title);
    if (row.has("sentences")) {
      read_sentences(row, document);
    } else if (row.has("text")) {
      append_sentences(row.string("text"), document);
    } else {
      row.fail("needs a field 'sentences' (an array of strings) or 'text' (a string)");
    }
    return true;
  }

  static void read_sentences(const JsonObject& row, NewDocument& document) {
    for (const JsonElement sentence : row.array("sentences")) {
      std::string_view text;
      if (sentence.get(text) != simdjson::SUCCESS) row.fail("'sentences' must hold strings");
      document.sentences.push_back({static_cast<int>(document.sentences.size()), text::tidy(text)});
    }
    if (row.has("numbers")) read_numbers(row, document);
  }

  static void read_numbers(const JsonObject& row, NewDocument& document) {
    std::size_t next = 0;
    for (const JsonElement element : row.array("numbers")) {
      std::int64_t number = 0;
      if (element.get(number) != simdjson::SUCCESS || number < 0 ||
          number > std::numeric_limits<int>::max()) {
        row.fail("'numbers' must hold whole numbers from 0");
      }
      if (next < document.sentences.size())
        document.sentences[next].number = static_cast<int>(number);
      ++next;
    }
    if (next != document.sentences.size()) row.fail("'numbers' and 'sentences' differ in length");
  }
};

class BeirReader : public JsonLinesReader {
 public:
  using JsonLinesReader::JsonLinesReader;

 private:
  bool read(const JsonObject& row, NewDocument& document) override {
    document.raw_title = row.string("_id");
    if (document.raw_title.empty()) row.fail("field '_id' is empty");
    document.title = text::tidy(row.optional_string("title").value_or(""));
    if (document.title.empty()) document.title = text::tidy(document.raw_title);
    append_sentences(row.string("text"), document);
    return true;
  }
};

class KiltReader : public JsonLinesReader {
 public:
  using JsonLinesReader::JsonLinesReader;

 private:
  bool read(const JsonObject& row, NewDocument& document) override {
    document.title = text::tidy(row.string("wikipedia_title"));
    if (document.title.empty()) row.fail("field 'wikipedia_title' is empty");
    document.raw_title = row.optional_string("wikipedia_id").value_or(document.title);
    for (const JsonElement element : row.array("text")) {
      std::string_view paragraph;
      if (element.get(paragraph) != simdjson::SUCCESS) row.fail("'text' must hold strings");
      read_paragraph(paragraph, document);
    }
    return true;
  }

  // The first one is the title again; headings and list items have signs before them.
  static void read_paragraph(std::string_view paragraph, NewDocument& document) {
    constexpr std::string_view kItem = "BULLET::::-";
    if (paragraph.starts_with("Section::::")) return;
    if (paragraph.starts_with(kItem)) paragraph.remove_prefix(kItem.size());
    if (text::tidy(paragraph) != document.title) append_sentences(paragraph, document);
  }
};

// A file is a document by the name of what it is about.
class TextReader : public DocumentReader {
 public:
  explicit TextReader(std::vector<fs::path> files) : files_(std::move(files)) {
    for (const fs::path& file : files_) progress_.total += size_or_zero(file);
  }

  bool next(NewDocument& document) override {
    if (next_ == files_.size()) return false;
    const fs::path& file = files_[next_++];
    document = {};
    document.raw_title = unpacked_name(file).stem().string();
    document.title = text::display_title(document.raw_title);
    FileContent content = read_content(file);
    content.kind = FileKind::text;
    for (const text::Block& block : file_blocks(file, content))
      append_sentences(block.text, document);
    progress_.done += size_or_zero(file);
    return true;
  }

  std::string where() const override {
    return next_ == 0 ? std::string() : files_[next_ - 1].string();
  }
  Progress progress() const override { return progress_; }

 private:
  std::vector<fs::path> files_;
  std::size_t next_ = 0;
  Progress progress_;
};

bool is_wiki_file(const fs::path& file) {
  return file.filename().string().starts_with("wiki-") && file.extension() == ".jsonl";
}

}  // namespace

std::optional<DocumentFormat> document_format(std::string_view name) {
  if (name == "fever-wiki") return DocumentFormat::fever_wiki;
  if (name == "jsonl") return DocumentFormat::jsonl;
  if (name == "beir") return DocumentFormat::beir;
  if (name == "kilt") return DocumentFormat::kilt;
  if (name == "text") return DocumentFormat::text;
  return std::nullopt;
}

std::unique_ptr<DocumentReader> open_documents(DocumentFormat format, const fs::path& path,
                                               bool skip_bad_lines) {
  if (path != "-" && !path_exists(path)) {
    throw Error(ErrorKind::not_found, fmt::format("{}: no such file or folder", path.string()));
  }
  const auto has_ending = [](std::string_view ending) {
    return [ending](const fs::path& file) { return file.extension() == ending; };
  };
  switch (format) {
    case DocumentFormat::fever_wiki:
      return std::make_unique<FeverWikiReader>(list_files(path, is_wiki_file, "wiki-*.jsonl"),
                                               skip_bad_lines);
    case DocumentFormat::beir:
      return std::make_unique<BeirReader>(
          list_files(
              path, [](const fs::path& file) { return file.filename() == "corpus.jsonl"; },
              "corpus.jsonl"),
          skip_bad_lines);
    case DocumentFormat::kilt:
      return std::make_unique<KiltReader>(list_files(path, has_ending(".json"), "*.json"),
                                          skip_bad_lines);
    case DocumentFormat::text:
      return std::make_unique<TextReader>(list_files(path, has_ending(".txt"), "*.txt"));
    case DocumentFormat::jsonl:
      break;
  }
  return std::make_unique<PlainJsonReader>(list_files(path, has_ending(".jsonl"), "*.jsonl"),
                                           skip_bad_lines);
}

}  // namespace memmatch::data
