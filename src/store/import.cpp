#include <fmt/format.h>

#include <bitset>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "text/unicode.h"

namespace memmatch {

using store::Connection;
using store::Prepared;
using store::Query;
using store::Transaction;

namespace {

// A sentence of the input as it will stand in the datastore.
struct Incoming {
  int number;
  std::string text;
  ContentHash hash;
};

struct IncomingDocument {
  std::string raw_title;
  std::string title;
  std::vector<Incoming> sentences;
};

IncomingDocument prepare(const NewDocument& document) {
  IncomingDocument incoming{raw_title_of(document.raw_title), text::tidy(document.title), {}};
  if (incoming.title.empty()) throw Error(ErrorKind::invalid_argument, "a document needs a title");
  incoming.sentences.reserve(document.sentences.size());
  int previous = -1;
  for (const NewSentence& sentence : document.sentences) {
    if (sentence.number <= previous) {
      throw Error(
          ErrorKind::invalid_argument,
          fmt::format("'{}': sentence numbers must start at 0 or above and increase; {} follows {}",
                      incoming.title, sentence.number, previous));
    }
    previous = sentence.number;
    std::string text = text::tidy(sentence.text);
    const ContentHash hash = content_hash(text);
    incoming.sentences.push_back({sentence.number, std::move(text), hash});
  }
  return incoming;
}

// A set of ids, of which mostly whole ranges are in it. How much memory it takes depends on how
// many these are, not on how large: the file may say anything.
class SeenIds {
 public:
  // False where it was in it already.
  bool insert(std::int64_t id) {
    const auto bits = static_cast<std::uint64_t>(id);
    std::bitset<kBlock>& block = blocks_[bits / kBlock];
    const bool is_new = !block[bits % kBlock];
    block.set(bits % kBlock);
    return is_new;
  }

 private:
  static constexpr std::size_t kBlock = 512;
  std::unordered_map<std::uint64_t, std::bitset<kBlock>> blocks_;
};

}  // namespace

// The rules by which input and datastore come together, sentence by sentence. "Ours" is what the
// datastore has, "theirs" what the input brings.
struct Datastore::Import::State {
  State(Datastore& datastore, const ImportOptions& import_options)
      : store(datastore),
        connection(*datastore.impl_->connection),
        options(import_options),
        cache(connection),
        transaction(connection, Transaction::Kind::write),
        changes(connection),
        deleted_of(connection, "SELECT number, imported_hash FROM deleted WHERE raw_title = ?1"),
        has_deleted(
            connection.query_integer("SELECT count(*) FROM (SELECT 1 FROM deleted LIMIT 1)") > 0),
        last_old_document(connection.query_integer("SELECT max(id) FROM documents")),
        filling(connection.query_integer(
                    "SELECT count(*) FROM (SELECT 1 FROM documents LIMIT 1)") == 0) {
    if (!filling) return;
    store::drop_key_index(connection);
    changes.leave_words_out();
  }

  void add(const IncomingDocument& theirs);
  void add_new(const IncomingDocument& theirs);
  void update(const Document& ours, const IncomingDocument& theirs);
  void update_sentence(const Sentence& ours, const Incoming& theirs);
  void remove(const Sentence& ours);
  bool is_repeated(DocumentId id);

  // After a failure in the midst of a document the transaction may hold a part of it, or have been
  // rolled back.
  void check_whole() const;

  using Deleted = std::map<std::int64_t, std::optional<ContentHash>>;
  Deleted deleted_sentences(std::string_view raw_title);
  bool stays_deleted(const IncomingDocument& theirs, const Incoming& sentence,
                     const Deleted& deleted);

  Datastore& store;
  Connection& connection;
  ImportOptions options;
  store::LargeCache cache;
  Transaction transaction;
  Changes changes;
  Prepared deleted_of;
  bool has_deleted;
  DocumentId last_old_document;
  SeenIds seen;  // of the documents that were there before
  bool filling;  // there were none
  bool failed = false;
  ImportReport report;
};

bool Datastore::Import::State::is_repeated(DocumentId id) {
  return id > last_old_document || !seen.insert(id);
}

void Datastore::Import::State::add(const IncomingDocument& theirs) {
  const std::optional<Document> ours = store.impl_->document_by_raw_title(theirs.raw_title);
  if (ours && is_repeated(ours->id)) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("the title '{}' occurs twice in this input; give each document a title (or id) "
                    "of its own",
                    theirs.raw_title));
  }
  failed = true;  // until all of the document is in
  ours ? update(*ours, theirs) : add_new(theirs);
  ++report.documents;
  report.sentences += theirs.sentences.size();
  failed = false;
}

void Datastore::Import::State::check_whole() const {
  if (!failed) return;
  throw Error(ErrorKind::io, connection.name() + ": the import failed before; begin another one");
}

Datastore::Import::State::Deleted Datastore::Import::State::deleted_sentences(
    std::string_view raw_title) {
  Deleted deleted;
  if (!has_deleted) return deleted;
  const Query rows(deleted_of);
  rows->bind(1, raw_title);
  while (rows->step()) deleted.emplace(rows->integer(0), rows->optional_hash(1));
  return deleted;
}

// Whether a sentence was deleted by hand and the deletion holds.
bool Datastore::Import::State::stays_deleted(const IncomingDocument& theirs,
                                             const Incoming& sentence, const Deleted& deleted) {
  const auto found = deleted.find(sentence.number);
  if (found == deleted.end()) return false;
  if (options.overwrite_edits) {
    changes.forget_deleted(theirs.raw_title, sentence.number);
    return false;
  }
  if (found->second != sentence.hash) ++report.kept_edits;
  return true;
}

void Datastore::Import::State::add_new(const IncomingDocument& theirs) {
  const Deleted deleted = deleted_sentences(theirs.raw_title);
  const bool whole = deleted.contains(kWholeDocument);
  if (whole && !options.overwrite_edits) {
    for (const Incoming& sentence : theirs.sentences) {
      if (!stays_deleted(theirs, sentence, deleted)) ++report.kept_edits;
    }
    return;
  }
  if (whole) changes.forget_deleted(theirs.raw_title, kWholeDocument);
  const DocumentId id = changes.insert_document(theirs.raw_title, theirs.title);
  ++report.new_documents;
  for (const Incoming& sentence : theirs.sentences) {
    if (stays_deleted(theirs, sentence, deleted)) continue;
    changes.insert_sentence(id, sentence.number, sentence.text, sentence.hash, sentence.hash);
    ++report.new_sentences;
  }
}

void Datastore::Import::State::update(const Document& ours, const IncomingDocument& theirs) {
  if (ours.title != theirs.title) changes.update_title(ours.id, theirs.title);
  const Deleted deleted = deleted_sentences(theirs.raw_title);
  const std::vector<Sentence> old = store.impl_->stored_sentences(ours.id);
  auto next_old = old.begin();
  for (const Incoming& sentence : theirs.sentences) {
    while (next_old != old.end() && next_old->number < sentence.number) remove(*next_old++);
    if (next_old != old.end() && next_old->number == sentence.number) {
      update_sentence(*next_old++, sentence);
    } else if (!stays_deleted(theirs, sentence, deleted)) {
      changes.insert_sentence(ours.id, sentence.number, sentence.text, sentence.hash,
                              sentence.hash);
      ++report.new_sentences;
    }
  }
  while (next_old != old.end()) remove(*next_old++);
}

void Datastore::Import::State::update_sentence(const Sentence& ours, const Incoming& theirs) {
  const bool news = ours.imported != theirs.hash;
  // Either is enough, for in a damaged file only one of them may be.
  const bool same = ours.hash == theirs.hash || ours.text == theirs.text;
  if (!same && ours.edited() && !options.overwrite_edits) {
    if (news) ++report.kept_edits;
    return;
  }
  if (changes.set_text(ours, theirs.text, theirs.hash, theirs.hash)) ++report.changed_sentences;
  if (same && news) changes.set_imported(ours.id, theirs.hash);
}

// A sentence of ours that the input's version of the document does not have.
void Datastore::Import::State::remove(const Sentence& ours) {
  if (ours.edited() && !options.overwrite_edits) {
    if (ours.imported) ++report.kept_edits;
    return;
  }
  changes.remove_sentence(ours);
  ++report.removed_sentences;
}

Datastore::Import::Import(std::unique_ptr<State> state) : state_(std::move(state)) {}
Datastore::Import::Import(Import&&) noexcept = default;
Datastore::Import::~Import() = default;

Datastore::Import Datastore::begin_import(const ImportOptions& options) {
  return Import(std::make_unique<Import::State>(*this, options));
}

Datastore::Import Datastore::begin_import() { return begin_import(ImportOptions{}); }

void Datastore::Import::add(const NewDocument& document) {
  state_->check_whole();
  state_->add(prepare(document));
}

ImportReport Datastore::Import::commit() {
  state_->check_whole();
  if (state_->filling) {
    store::create_key_index(state_->connection);
    if (store::has_words(state_->connection)) store::rebuild_words(state_->connection);
  }
  state_->transaction.commit();
  return state_->report;
}

}  // namespace memmatch
