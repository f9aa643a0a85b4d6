#pragma once

#include <memory>

#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "store/sqlite.h"

namespace memmatch {

// The number under which `deleted` keeps a whole document.
inline constexpr std::int64_t kWholeDocument = -1;

// `vectors` is keyed by set and sentence in one number, so that a set's vectors lie together, in
// the order of sentences.
inline constexpr int kSentenceBits = 40;

// A connection with the statements that are used again and again.
struct Datastore::Impl {
  explicit Impl(std::unique_ptr<store::Connection> open);

  Document read_document(const store::Statement& row) const;
  Sentence read_sentence(const store::Statement& row) const;
  std::optional<Document> document_by_raw_title(std::string_view raw_title);
  std::optional<VectorSet> find_set(const ContentHash& fingerprint, std::int64_t dimension);
  // Needs an open write transaction.
  VectorSet find_or_insert_set(const ContentHash& fingerprint, std::int64_t dimension);

  std::unique_ptr<store::Connection> connection;
  int snapshots = 0;

  store::Statement document_by_id;
  store::Statement document_by_title;
  store::Statement documents_by_key;
  store::Statement floor_key;
  store::Statement candidates;
  store::Statement sentences_of;
  store::Statement sentence_by_id;
  store::Statement sentence_by_number;
  store::Statement vector_by_key;
};

// What must be there, because it was just written or something refers to it. It may be missing all
// the same: the file may be damaged.
template <typename T>
T expect(std::optional<T> value, const store::Connection& connection) {
  if (!value) {
    throw Error(ErrorKind::corrupt, connection.name() + ": the file is damaged; run 'store check'");
  }
  return *std::move(value);
}

// A read transaction, unless one is open already.
class ReadScope {
 public:
  explicit ReadScope(store::Connection& connection) {
    if (!connection.in_transaction())
      transaction_.emplace(connection, store::Transaction::Kind::read);
  }

 private:
  std::optional<store::Transaction> transaction_;
};

// The changes that edits and imports are made of. Each needs an open write transaction.
class Changes {
 public:
  explicit Changes(store::Connection& connection);

  DocumentId insert_document(std::string_view raw_title, std::string_view title);
  void update_title(DocumentId id, std::string_view title);
  SentenceId insert_sentence(DocumentId document, int number, std::string_view text,
                             const ContentHash& hash, const std::optional<ContentHash>& imported);

  // The sentence gets a new text; the old one's hash goes into the history.
  void replace_text(const Sentence& old, std::string_view text, const ContentHash& hash,
                    const std::optional<ContentHash>& imported);
  void set_imported(SentenceId id, const ContentHash& imported);

  // The row goes, its last hash into the history.
  void remove_sentence(const Sentence& sentence);
  void remove_document(DocumentId id);

  // Vectors made from the sentence as it was are of no use any more.
  void remove_vectors(SentenceId sentence);

  // What was deleted by hand is remembered, so that the next import does not bring it back.
  void remember_deleted(std::string_view raw_title, std::int64_t number, SentenceId sentence,
                        const std::optional<ContentHash>& imported);
  void forget_deleted(std::string_view raw_title, std::int64_t number);

 private:
  store::Connection& connection_;
  store::Statement insert_document_;
  store::Statement update_title_;
  store::Statement insert_sentence_;
  store::Statement update_sentence_;
  store::Statement set_imported_;
  store::Statement delete_sentence_;
  store::Statement delete_document_;
  store::Statement insert_history_;
  store::Statement insert_deleted_;
  store::Statement delete_deleted_;
  store::Statement delete_vectors_;
  store::Statement sentences_of_;
  bool has_vectors_;
};

}  // namespace memmatch
