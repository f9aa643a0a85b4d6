#include "data/found_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/files.h"
#include "base/input_file.h"
#include "data/file_text.h"
#include "memmatch/error.h"

namespace memmatch::data {
namespace {

namespace fs = std::filesystem;

// Endings of documents. Some cannot be read: these are complained about, not left out.
constexpr std::array<std::string_view, 25> kDocuments{
    ".txt",  ".text", ".md",  ".markdown", ".mdown", ".html", ".htm", ".xhtml", ".pdf",
    ".docx", ".doc",  ".rtf", ".odt",      ".epub",  ".pptx", ".ppt", ".jsonl", ".ndjson",
    ".csv",  ".tsv",  ".rst", ".adoc",     ".org",   ".tex",  ".asc"};

// "README.Debian", "NEWS.2020"
bool is_notice(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("README.") || name.starts_with("NEWS.") || name.starts_with("CHANGES.");
}

bool is_document(const fs::path& file) {
  const std::string ending = ending_of(file);
  return ending.empty() || is_notice(file) ||
         std::find(kDocuments.begin(), kDocuments.end(), ending) != kDocuments.end();
}

bool is_hidden(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with('.') || name.ends_with('~');
}

// Also false for a link that leads nowhere.
bool is_plain_file(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored);
}

void add_folder(const fs::path& folder, FoundFiles& found) {
  for (const fs::path& entry : entries_of(folder)) {
    if (is_hidden(entry)) continue;
    if (path_exists(entry) && is_folder(entry)) {
      if (!fs::is_symlink(entry)) add_folder(entry, found);
    } else if (is_plain_file(entry)) {
      if (is_document(entry)) {
        found.files.push_back(entry);
      } else {
        ++found.left_out[ending_of(entry)];
      }
    }
  }
}

// The same file by several paths is read once.
void leave_out_repeated(std::vector<fs::path>& files) {
  std::set<fs::path> seen;
  std::erase_if(files, [&](const fs::path& file) {
    std::error_code error;
    const fs::path same = file == "-" ? file : fs::canonical(file, error);
    return !error && !seen.insert(same).second;
  });
}

}  // namespace

FoundFiles find_files(std::span<const std::string> paths) {
  FoundFiles found;
  for (const std::string& path : paths) {
    if (path == "-") {
      found.files.emplace_back(path);
      continue;
    }
    if (!path_exists(path))
      throw Error(ErrorKind::not_found, fmt::format("{}: no such file or folder", path));
    const fs::path normal = fs::path(path).lexically_normal();
    if (!is_folder(normal)) {
      found.files.push_back(normal);
      continue;
    }
    const std::size_t before = found.files.size();
    add_folder(normal, found);
    if (found.files.size() == before) {
      throw Error(
          ErrorKind::not_found,
          fmt::format("{}: there is no document in it that can be read (text, Markdown, HTML, "
                      "PDF, DOCX, JSON lines)",
                      path));
    }
  }
  leave_out_repeated(found.files);
  return found;
}

std::string left_out_text(const FoundFiles& found) {
  std::string text;
  for (const auto& [ending, count] : found.left_out)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, ending);
  return text;
}

}  // namespace memmatch::data
