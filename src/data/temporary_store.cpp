#include "memmatch/temporary_store.h"

#include <fmt/format.h>

#include <utility>

#include "base/scratch_folder.h"
#include "data/file_documents.h"
#include "data/sections.h"
#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "text/blocks.h"
#include "text/unicode.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

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
  return of_paths(paths, {});
}

TemporaryStore TemporaryStore::of_paths(std::span<const std::string> paths,
                                        const FileSettings& settings) {
  TemporaryStore result;
  data::FileDocuments reader(data::find_files(paths), {.skip_bad_files = settings.skip_bad_files,
                                                       .largest = settings.largest_file});
  make_store(result.file(), [&](Datastore::Import& import) {
    for (NewDocument document; reader.next(document);) {
      try {
        import.add(document);
      } catch (const Error& error) {
        reader.reject(error);
      }
    }
  });
  if (const std::string others = data::left_out_text(reader.found()); !others.empty())
    result.left_out_.push_back(fmt::format("left out, being no documents: {}", others));
  for (const std::string& complaint : reader.bad_files().examples)
    result.left_out_.push_back(fmt::format("left out: {}", complaint));
  return result;
}

TemporaryStore TemporaryStore::of_texts(std::span<const GivenDocument> documents) {
  TemporaryStore result;
  make_store(result.file(), [&](Datastore::Import& import) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
      // Titles need not differ, so they cannot be what a document is known by.
      NewDocument document{fmt::format("{}", i + 1), text::tidy(documents[i].title), {}};
      if (document.title.empty()) document.title = fmt::format("text {}", i + 1);
      for (const text::Block& block : text::plain_blocks(documents[i].text))
        data::append_sentences(block.text, document);
      import.add(document);
    }
  });
  return result;
}

}  // namespace memmatch
