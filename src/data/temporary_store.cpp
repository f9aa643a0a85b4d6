#include "memmatch/temporary_store.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "data/documents.h"
#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "text/sentence_split.h"
#include "text/unicode.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

struct Source {
  fs::path file;
  std::string name;  // its document's identity: the same names may be in several folders
};

// The ending that says what a file is, without that of its packing: ".jsonl" of "a.jsonl.gz".
std::string ending_of(const fs::path& file) {
  const fs::path last = file.extension();
  const bool packed = last == ".gz" || last == ".xz" || last == ".zst";
  return packed ? file.stem().extension().string() : last.string();
}

bool is_known(const fs::path& file) {
  const std::string ending = ending_of(file);
  return ending == ".txt" || ending == ".jsonl";
}

// Links to folders are not followed: they may lead back.
void find_files(const fs::path& folder, std::vector<Source>& found, std::uint64_t& others) {
  for (const fs::path& entry : entries_of(folder)) {
    if (is_folder(entry)) {
      if (!fs::is_symlink(entry)) find_files(entry, found, others);
    } else if (is_known(entry)) {
      found.push_back({entry, entry.string()});
    } else {
      ++others;
    }
  }
}

// What was left out, where anything was.
std::optional<std::string> add_folder(const fs::path& folder, std::vector<Source>& sources) {
  const std::size_t before = sources.size();
  std::uint64_t others = 0;
  find_files(folder, sources, others);
  if (sources.size() == before) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: there is no .txt or .jsonl file in it", folder.string()));
  }
  if (others == 0) return std::nullopt;
  return fmt::format("{}: {} files that are neither .txt nor .jsonl are left out", folder.string(),
                     others);
}

void import_file(const Source& source, Datastore::Import& import) {
  const bool jsonl = ending_of(source.file) == ".jsonl";
  const auto reader = data::open_documents(
      jsonl ? data::DocumentFormat::jsonl : data::DocumentFormat::text, source.file);
  for (NewDocument document; reader->next(document);) {
    if (!jsonl) document.raw_title = source.name;
    try {
      import.add(document);
    } catch (const Error& error) {
      reader->reject(error);
    }
  }
}

// Has `fill` bring the documents of a new datastore, all in one transaction.
template <typename Fill>
void make_store(const fs::path& file, const Fill& fill) {
  Datastore store = Datastore::open(file, Datastore::Access::create);
  Datastore::Import import = store.begin_import();
  fill(import);
  if (import.commit().sentences == 0)
    throw Error(ErrorKind::invalid_argument, "there is no sentence to verify against");
}

}  // namespace

TemporaryStore::TemporaryStore() : folder_(std::make_unique<ScratchFolder>()) {}
TemporaryStore::TemporaryStore(TemporaryStore&&) noexcept = default;
TemporaryStore::~TemporaryStore() = default;

fs::path TemporaryStore::file() const { return folder_->path() / "store.db"; }

TemporaryStore TemporaryStore::of_paths(std::span<const std::string> paths) {
  TemporaryStore result;
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    if (path == "-" || !is_folder(path)) {
      sources.push_back({path, path});
    } else if (auto left_out = add_folder(path, sources)) {
      result.left_out_.push_back(*std::move(left_out));
    }
  }
  make_store(result.file(), [&](Datastore::Import& import) {
    for (const Source& source : sources) import_file(source, import);
  });
  return result;
}

TemporaryStore TemporaryStore::of_texts(std::span<const GivenDocument> documents) {
  TemporaryStore result;
  make_store(result.file(), [&](Datastore::Import& import) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
      // Titles need not differ, so they cannot be what a document is known by.
      NewDocument document{fmt::format("{}", i + 1), text::tidy(documents[i].title), {}};
      if (document.title.empty()) document.title = fmt::format("text {}", i + 1);
      for (std::string& sentence : text::split_sentences(documents[i].text))
        document.sentences.push_back(
            {static_cast<int>(document.sentences.size()), std::move(sentence)});
      import.add(document);
    }
  });
  return result;
}

}  // namespace memmatch
