#include "data/file_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/input_file.h"
#include "memmatch/error.h"
#include "text/encoding.h"
#ifdef MEMMATCH_HTML
#include "data/html.h"
#endif
#ifdef MEMMATCH_MARKDOWN
#include "data/markdown.h"
#endif
#ifdef MEMMATCH_DOCX
#include "data/docx.h"
#endif
#include "data/pdf.h"

namespace memmatch::data {
namespace {

namespace fs = std::filesystem;
using text::Block;

constexpr std::size_t kChunk = std::size_t{1} << 16;

struct Known {
  std::string_view first_bytes;
  std::string_view what;
};

// What other programs' files begin with.
constexpr std::array<Known, 9> kUnreadable{{
    {"\xD0\xCF\x11\xE0", "an older file of Word, Excel or PowerPoint; save it as .docx or PDF"},
    {"{\\rtf", "a file in Rich Text Format; save it as .docx or PDF"},
    {"%!PS", "PostScript; turn it into PDF with ps2pdf"},
    {"\x89PNG", "a picture"},
    {"\xFF\xD8\xFF", "a picture"},
    {"GIF8", "a picture"},
    {"SQLite format 3", "a database; a datastore is named with --store"},
    {"\x7F"
     "ELF",
     "a program"},
    {"BZh", "packed with bzip2; unpack it first, or pack it with gzip, xz or zstd"},
}};

bool is_one_of(std::string_view ending, std::initializer_list<std::string_view> endings) {
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

// The first bytes that say something, in lower case.
std::string beginning_of(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  std::string begin(bytes.substr(0, 16));
  for (char& c : begin) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return begin;
}

[[maybe_unused]] [[noreturn]] void fail_left_out(std::string_view what, std::string_view package) {
  throw Error(ErrorKind::unsupported,
              fmt::format("this memmatch was built without {} (Debian: {})", what, package));
}

std::vector<Block> html(std::string_view bytes) {
#ifdef MEMMATCH_HTML
  return html_blocks(text::to_utf8(bytes, html_encoding(bytes)));
#else
  fail_left_out("HTML", "libxml2-dev");
#endif
}

std::vector<Block> markdown(std::string_view bytes) {
#ifdef MEMMATCH_MARKDOWN
  return markdown_blocks(text::to_utf8(bytes));
#else
  fail_left_out("Markdown", "libmd4c-dev libmd4c-html0-dev");
#endif
}

std::vector<Block> docx(std::string_view bytes, std::uint64_t largest) {
#ifdef MEMMATCH_DOCX
  return docx_blocks(bytes, largest);
#else
  fail_left_out("DOCX", "libzip-dev");
#endif
}

std::vector<Block> rows(std::string_view bytes) {
  std::vector<Block> blocks;
  const std::string text = text::to_utf8(bytes);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    blocks.push_back({std::string(rest.substr(0, end))});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  text::tidy_blocks(blocks);
  return blocks;
}

std::vector<Block> blocks_of(const FileContent& content, std::uint64_t largest) {
  switch (content.kind) {
    case FileKind::rows:
      return rows(content.bytes);
    case FileKind::markdown:
      return markdown(content.bytes);
    case FileKind::html:
      return html(content.bytes);
    case FileKind::pdf:
      return pdf_blocks(content.bytes, largest);
    case FileKind::docx:
      return docx(content.bytes, largest);
    case FileKind::json_lines:
      throw Error(ErrorKind::unsupported, "these are JSON lines, not a text");
    case FileKind::text:
      break;
  }
  return text::plain_blocks(text::to_utf8(content.bytes));
}

// Says whose fault it is.
template <typename Action>
auto naming(const std::string& name, Action action) {
  try {
    return action();
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", name, error.what()));
  }
}

std::string name_of(const fs::path& file) { return file == "-" ? "standard input" : file.string(); }

// False at the end of the file.
bool read_more(InputFile& file, std::string& bytes) {
  const std::size_t before = bytes.size();
  bytes.resize(before + kChunk);
  bytes.resize(before + file.read(std::span(bytes).subspan(before)));
  return bytes.size() > before;
}

}  // namespace

std::string ending_of(const fs::path& file) {
  std::string ending = unpacked_name(file).extension().string();
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

FileKind kind_of_file(const fs::path& file, std::string_view first_bytes) {
  const std::string begin = beginning_of(first_bytes);
  const std::string ending = ending_of(file);
  for (const Known& known : kUnreadable) {
    if (first_bytes.starts_with(known.first_bytes))
      throw Error(ErrorKind::unsupported, fmt::format("this is {}", known.what));
  }
  if (first_bytes.substr(0, 1024).find("%PDF-") != std::string_view::npos) return FileKind::pdf;
  if (first_bytes.starts_with("PK\3\4")) return FileKind::docx;
  if (is_one_of(ending, {".jsonl", ".ndjson", ".json"}) || begin.starts_with("{\""))
    return FileKind::json_lines;
  if (is_one_of(ending, {".html", ".htm", ".xhtml"}) || begin.starts_with("<!doctype html") ||
      begin.starts_with("<html"))
    return FileKind::html;
  if (is_one_of(ending, {".md", ".markdown", ".mdown"})) return FileKind::markdown;
  if (is_one_of(ending, {".csv", ".tsv"})) return FileKind::rows;
  if (is_one_of(ending, {".pdf", ".docx"})) {
    throw Error(ErrorKind::corrupt,
                fmt::format("the name ends in {}, but the content is something else", ending));
  }
  return FileKind::text;
}

FileContent read_content(const fs::path& file, std::uint64_t largest) {
  InputFile input(file);
  FileContent content;
  while (content.bytes.size() < kChunk && read_more(input, content.bytes)) {
  }
  content.kind = naming(name_of(file), [&] { return kind_of_file(file, content.bytes); });
  if (content.kind == FileKind::json_lines) {
    content.bytes.clear();
    return content;
  }
  while (content.bytes.size() <= largest && read_more(input, content.bytes)) {
  }
  if (content.bytes.size() > largest) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: it has more than {} MB, unpacked; --file-limit allows more",
                            name_of(file), largest >> 20));
  }
  return content;
}

std::vector<Block> file_blocks(const fs::path& file, const FileContent& content,
                               std::uint64_t largest) {
  return naming(name_of(file), [&] { return blocks_of(content, largest); });
}

std::vector<Block> read_blocks(const fs::path& file, std::uint64_t largest) {
  return file_blocks(file, read_content(file, largest), largest);
}

}  // namespace memmatch::data
