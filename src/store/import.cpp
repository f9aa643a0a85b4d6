#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace memmatch {

using store::Connection;
using store::Statement;
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
  IncomingDocument incoming{
      text::to_well_formed(document.raw_title), text::tidy(document.title), {}};
  if (incoming.raw_title.empty() || incoming.title.empty()) {
    throw Error(ErrorKind::invalid_argument, "a document needs a title");
  }
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

}  // namespace

// The rules by which input and datastore come together, sentence by sentence. "Ours" is what the
// datastore has, "theirs" what the input brings.
struct Datastore::Import::State {
  State(Datastore& datastore, const ImportOptions& import_options)
      : store(datastore),
        connection(*datastore.impl_->connection),
        options(import_options),
        transaction(connection, Transaction::Kind::write),
        changes(connection),
        deleted_of(connection, "SELECT number, imported_hash FROM deleted WHERE raw_title = ?1"),
        has_deleted(
            connection.query_integer("SELECT count(*) FROM (SELECT 1 FROM deleted LIMIT 1)") > 0),
        last_old_document(connection.query_integer("SELECT max(id) FROM documents")),
        seen(static_cast<std::size_t>(last_old_document + 1)),
        filling(last_old_document == 0) {
    if (filling) store::drop_key_index(connection);
  }

  void add(const IncomingDocument& theirs);
  void add_new(const IncomingDocument& theirs);
  void update(const Document& ours, const IncomingDocument& theirs);
  void update_sentence(const Sentence& ours, const Incoming& theirs);
  void remove(const Sentence& ours);
  bool is_repeated(DocumentId id);

  using Deleted = std::map<std::int64_t, std::optional<ContentHash>>;
  Deleted deleted_sentences(std::string_view raw_title);
  bool stays_deleted(const IncomingDocument& theirs, const Incoming& sentence,
                     const Deleted& deleted);

  Datastore& store;
  Connection& connection;
  ImportOptions options;
  Transaction transaction;
  Changes changes;
  Statement deleted_of;
  bool has_deleted;
  DocumentId last_old_document;
  std::vector<bool> seen;  // by id, of the documents that were there before
  bool filling;            // there were none
  ImportReport report;
};

bool Datastore::Import::State::is_repeated(DocumentId id) {
  if (id > last_old_document) return true;
  const auto index = static_cast<std::size_t>(id);
  const bool repeated = seen[index];
  seen[index] = true;
  return repeated;
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
  ours ? update(*ours, theirs) : add_new(theirs);
  ++report.documents;
  report.sentences += theirs.sentences.size();
}

Datastore::Import::State::Deleted Datastore::Import::State::deleted_sentences(
    std::string_view raw_title) {
  Deleted deleted;
  if (!has_deleted) return deleted;
  deleted_of.bind(1, raw_title);
  while (deleted_of.step()) deleted.emplace(deleted_of.integer(0), deleted_of.optional_hash(1));
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
  const std::vector<Sentence> old = store.sentences(ours.id);
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
  if (ours.hash == theirs.hash) {
    if (news) changes.set_imported(ours.id, theirs.hash);
    return;
  }
  if (ours.edited() && !options.overwrite_edits) {
    if (news) ++report.kept_edits;
    return;
  }
  changes.replace_text(ours, theirs.text, theirs.hash, theirs.hash);
  ++report.changed_sentences;
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

void Datastore::Import::add(const NewDocument& document) { state_->add(prepare(document)); }

ImportReport Datastore::Import::commit() {
  if (state_->filling) store::create_key_index(state_->connection);
  state_->transaction.commit();
  return state_->report;
}

}  // namespace memmatch
