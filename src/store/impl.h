#pragma once

#include <memory>

#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "store/sqlite.h"
#include "store/words.h"

namespace memmatch {

// The number under which `deleted` keeps a whole document.
inline constexpr std::int64_t kWholeDocument = -1;

// `vectors` is keyed by set and sentence in one number, so that a set's vectors lie together, in
// the order of sentences.
inline constexpr int kSentenceBits = 40;
inline constexpr std::int64_t kLastSentence = (std::int64_t{1} << kSentenceBits) - 1;
inline constexpr std::int64_t kLastVectorSet = (std::int64_t{1} << (62 - kSentenceBits)) - 1;

// A document's identity as it is stored: the title as it was given, since that is how its source
// knows it; only what is no Unicode is replaced. Throws invalid_argument where it is blank.
std::string raw_title_of(std::string_view title);

[[noreturn]] void throw_damaged_text(const store::Connection& connection, SentenceId sentence);

// Rows of the columns that select_documents() and select_sentences() ask for.
std::string select_documents(std::string_view where);
std::string select_sentences(std::string_view where);
Document read_document(const store::Statement& row);
Sentence read_sentence(const store::Statement& row);

// The text that the source had for a sentence which was deleted by hand. A sentence that takes its
// place is an edit of that, and the next import must see it so.
std::optional<ContentHash> imported_before_deletion(store::Connection& connection,
                                                    std::string_view raw_title, int number);

// A connection with the statements that are used again and again.
struct Datastore::Impl {
  explicit Impl(std::unique_ptr<store::Connection> open);

  std::optional<Document> document_by_raw_title(std::string_view raw_title);
  std::optional<VectorSet> find_set(const ContentHash& fingerprint, std::int64_t dimension);
  // Needs an open write transaction.
  VectorSet find_or_insert_set(const ContentHash& fingerprint, std::int64_t dimension);

  // As they are in the file, damaged or not: for those who replace them.
  std::vector<Sentence> stored_sentences(DocumentId document);
  std::optional<Sentence> stored_sentence(DocumentId document, int number);

  // Gives the sentence back. Throws Error(corrupt) where its text is not the one that was stored.
  Sentence verified(Sentence sentence) const;

  std::unique_ptr<store::Connection> connection;
  std::unique_ptr<store::Transaction> reading;  // while there are snapshots
  int snapshots = 0;

  store::Prepared document_by_id;
  store::Prepared document_by_title;
  store::Prepared documents_by_key;
  store::Prepared floor_key;
  store::Prepared candidates;
  store::Prepared sentences_of;
  store::Prepared sentence_by_id;
  store::Prepared sentence_by_number;
  store::Prepared vector_by_key;
  std::unique_ptr<store::WordSearch> word_search;  // once it was needed, and is there
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
    connection.recover();
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

  // The sentence gets a new text; the old one's hash goes into the history. Where only one of the
  // old text and its hash differs, the file was damaged there: that is mended, and no new revision.
  // False where nothing differs.
  bool set_text(const Sentence& old, std::string_view text, const ContentHash& hash,
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

  // For many at once: who calls it makes the index of words anew in the end.
  void leave_words_out() { words_.reset(); }

 private:
  void remember(const Sentence& old);
  std::string title_of(DocumentId id);

  store::Connection& connection_;
  store::Prepared insert_document_;
  store::Prepared update_title_;
  store::Prepared insert_sentence_;
  store::Prepared update_sentence_;
  store::Prepared restore_sentence_;
  store::Prepared set_imported_;
  store::Prepared delete_sentence_;
  store::Prepared delete_document_;
  store::Prepared insert_history_;
  store::Prepared insert_deleted_;
  store::Prepared delete_deleted_;
  store::Prepared delete_vectors_;
  store::Prepared sentences_of_;
  store::Prepared title_of_;
  bool has_vectors_;
  std::optional<store::WordIndex> words_;  // where there is one
};

}  // namespace memmatch
