#include "cli/temporary_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/files.h"
#include "data/documents.h"
#include "memmatch/error.h"

namespace memmatch::cli {
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

void add_folder(const fs::path& folder, std::vector<Source>& sources) {
  const std::size_t before = sources.size();
  std::uint64_t others = 0;
  find_files(folder, sources, others);
  if (sources.size() == before) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: there is no .txt or .jsonl file in it", folder.string()));
  }
  if (others > 0) {
    fmt::print(stderr, "{}: {} files that are neither .txt nor .jsonl are left out\n",
               folder.string(), others);
  }
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

}  // namespace

TemporaryStore::TemporaryStore(const std::vector<std::string>& paths) {
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    if (path != "-" && is_folder(path)) {
      add_folder(path, sources);
    } else {
      sources.push_back({path, path});
    }
  }
  std::string name = (fs::temp_directory_path() / "memmatch-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw_io_error(name, "make it", errno);
  folder_ = name;
  try {
    Datastore store = Datastore::open(file(), Datastore::Access::create);
    Datastore::Import import = store.begin_import();
    for (const Source& source : sources) import_file(source, import);
    if (import.commit().sentences == 0)
      throw Error(ErrorKind::invalid_argument, "--against: there is no sentence in these files");
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

TemporaryStore::~TemporaryStore() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace memmatch::cli
