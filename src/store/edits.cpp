#include <fmt/format.h>

#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "text/titles.h"
#include "text/unicode.h"

namespace memmatch {

using store::Query;
using store::Statement;
using store::Transaction;

namespace {

[[noreturn]] void no_such_sentence(const Document& document, int number) {
  throw Error(ErrorKind::not_found,
              fmt::format("'{}' has no sentence {}; 'store show' lists those it has",
                          document.title, number));
}

int next_number(store::Connection& connection, const Document& document) {
  Statement row(connection,
                "SELECT max(coalesce((SELECT max(number) FROM sentences WHERE document = ?1), -1), "
                "coalesce((SELECT max(number) FROM deleted WHERE raw_title = ?2), -1)) + 1");
  row.bind(1, document.id).bind(2, document.raw_title);
  row.step();
  return static_cast<int>(row.integer(0));
}

}  // namespace

std::optional<ContentHash> imported_before_deletion(store::Connection& connection,
                                                    std::string_view raw_title, int number) {
  Statement row(connection,
                "SELECT imported_hash FROM deleted WHERE raw_title = ?1 AND number = ?2");
  row.bind(1, raw_title).bind(2, std::int64_t{number});
  return row.step() ? row.optional_hash(0) : std::nullopt;
}

Sentence Datastore::add_sentence(std::string_view title, std::optional<int> number,
                                 std::string_view text) {
  const std::string tidy_text = text::tidy(text);
  const std::string raw_title = raw_title_of(title);
  if (tidy_text.empty()) throw Error(ErrorKind::invalid_argument, "a sentence needs a text");
  if (number && *number < 0)
    throw Error(ErrorKind::invalid_argument, "sentences are numbered from 0");

  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  Changes changes(*impl_->connection);
  Document document;
  try {
    document = find_document(raw_title);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
    const std::string display = text::display_title(raw_title);
    document =
        expect(this->document(changes.insert_document(raw_title, display)), *impl_->connection);
    changes.forget_deleted(document.raw_title, kWholeDocument);
  }
  const int n = number ? *number : next_number(*impl_->connection, document);
  if (impl_->stored_sentence(document.id, n)) {
    throw Error(ErrorKind::conflict,
                fmt::format("'{}' has a sentence {} already; use 'store edit' to change it",
                            document.title, n));
  }
  const auto imported = imported_before_deletion(*impl_->connection, document.raw_title, n);
  changes.forget_deleted(document.raw_title, n);
  const SentenceId id =
      changes.insert_sentence(document.id, n, tidy_text, content_hash(tidy_text), imported);
  transaction.commit();
  return expect(sentence(id), *impl_->connection);
}

Sentence Datastore::edit_sentence(std::string_view title, int number, std::string_view text) {
  const std::string tidy_text = text::tidy(text);
  if (tidy_text.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "a sentence needs a text; use 'store delete' to remove it");
  }
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  const Document document = find_document(title);
  const std::optional<Sentence> old = impl_->stored_sentence(document.id, number);
  if (!old) no_such_sentence(document, number);
  Changes(*impl_->connection).set_text(*old, tidy_text, content_hash(tidy_text), old->imported);
  transaction.commit();
  return expect(sentence(old->id), *impl_->connection);
}

std::vector<Sentence> Datastore::delete_sentence(std::string_view title, int number) {
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  const Document document = find_document(title);
  std::optional<Sentence> old = impl_->stored_sentence(document.id, number);
  if (!old) no_such_sentence(document, number);
  Changes changes(*impl_->connection);
  changes.remove_sentence(*old);
  changes.remember_deleted(document.raw_title, number, old->id, old->imported);
  transaction.commit();
  return {*std::move(old)};
}

std::vector<Sentence> Datastore::delete_document(std::string_view title) {
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  const Document document = find_document(title);
  std::vector<Sentence> old = impl_->stored_sentences(document.id);
  Changes changes(*impl_->connection);
  for (const Sentence& sentence : old) {
    changes.remove_sentence(sentence);
    changes.remember_deleted(document.raw_title, sentence.number, sentence.id, sentence.imported);
  }
  changes.remember_deleted(document.raw_title, kWholeDocument, 0, std::nullopt);
  changes.remove_document(document.id);
  transaction.commit();
  return old;
}

bool Datastore::add_words() {
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  if (has_words()) return false;
  const store::LargeCache cache(*impl_->connection);
  store::create_words(*impl_->connection);
  store::set_version(*impl_->connection);
  transaction.commit();
  return true;
}

Changes::Changes(store::Connection& connection)
    : connection_(connection),
      insert_document_(connection,
                       "INSERT INTO documents (raw_title, title, match_key) VALUES (?1, ?2, ?3)"),
      update_title_(connection, "UPDATE documents SET title = ?2, match_key = ?3 WHERE id = ?1"),
      insert_sentence_(
          connection,
          "INSERT INTO sentences (document, number, text, hash, revision, imported_hash) "
          "VALUES (?1, ?2, ?3, ?4, 1, ?5)"),
      update_sentence_(connection,
                       "UPDATE sentences SET text = ?2, hash = ?3, revision = revision + 1, "
                       "imported_hash = ?4 WHERE id = ?1"),
      restore_sentence_(connection, "UPDATE sentences SET text = ?2, hash = ?3 WHERE id = ?1"),
      set_imported_(connection, "UPDATE sentences SET imported_hash = ?2 WHERE id = ?1"),
      delete_sentence_(connection, "DELETE FROM sentences WHERE id = ?1"),
      delete_document_(connection, "DELETE FROM documents WHERE id = ?1"),
      insert_history_(connection,
                      "INSERT INTO history (sentence, revision, hash) VALUES (?1, ?2, ?3)"),
      insert_deleted_(connection,
                      "INSERT OR REPLACE INTO deleted (raw_title, number, sentence, imported_hash) "
                      "VALUES (?1, ?2, ?3, ?4)"),
      delete_deleted_(connection, "DELETE FROM deleted WHERE raw_title = ?1 AND number = ?2"),
      delete_vectors_(connection, fmt::format("DELETE FROM vectors WHERE key IN "
                                              "(SELECT (id << {}) + ?1 FROM vector_sets)",
                                              kSentenceBits)),
      sentences_of_(connection, "SELECT id FROM sentences WHERE document = ?1"),
      title_of_(connection, "SELECT title FROM documents WHERE id = ?1"),
      has_vectors_(connection.query_integer("SELECT count(*) FROM vector_sets") > 0) {
  if (store::has_words(connection)) words_.emplace(connection);
}

std::string Changes::title_of(DocumentId id) {
  const Query row(title_of_);
  row->bind(1, id);
  return row->step() ? std::string(row->text(0)) : std::string();
}

DocumentId Changes::insert_document(std::string_view raw_title, std::string_view title) {
  const std::string key = text::match_key(title);
  Query(insert_document_)->bind(1, raw_title).bind(2, title).bind(3, key).run();
  const DocumentId id = connection_.last_insert_id();
  if (words_) words_->add_title(id, title);
  return id;
}

void Changes::update_title(DocumentId id, std::string_view title) {
  const std::string key = text::match_key(title);
  if (words_) {
    words_->remove_title(id, title_of(id));
    words_->add_title(id, title);
  }
  Query(update_title_)->bind(1, id).bind(2, title).bind(3, key).run();
  if (!has_vectors_) return;
  const Query rows(sentences_of_);
  rows->bind(1, id);
  while (rows->step()) remove_vectors(rows->integer(0));
}

SentenceId Changes::insert_sentence(DocumentId document, int number, std::string_view text,
                                    const ContentHash& hash,
                                    const std::optional<ContentHash>& imported) {
  const Query row(insert_sentence_);
  row->bind(1, document).bind(2, std::int64_t{number}).bind(3, text).bind(4, hash);
  row->bind(5, imported).run();
  const SentenceId id = connection_.last_insert_id();
  if (words_) words_->add_text(id, text);
  return id;
}

bool Changes::set_text(const Sentence& old, std::string_view text, const ContentHash& hash,
                       const std::optional<ContentHash>& imported) {
  if (old.text == text && old.hash == hash) return false;
  if (words_) {
    words_->remove_text(old.id, old.text);
    words_->add_text(old.id, text);
  }
  if (old.text == text || old.hash == hash) {
    Query(restore_sentence_)->bind(1, old.id).bind(2, text).bind(3, hash).run();
  } else {
    remember(old);
    Query(update_sentence_)->bind(1, old.id).bind(2, text).bind(3, hash).bind(4, imported).run();
  }
  remove_vectors(old.id);
  return true;
}

void Changes::set_imported(SentenceId id, const ContentHash& imported) {
  Query(set_imported_)->bind(1, id).bind(2, imported).run();
}

void Changes::remember(const Sentence& old) {
  Query(insert_history_)
      ->bind(1, old.id)
      .bind(2, std::int64_t{old.revision})
      .bind(3, old.hash)
      .run();
}

void Changes::remove_sentence(const Sentence& sentence) {
  remember(sentence);
  Query(delete_sentence_)->bind(1, sentence.id).run();
  if (words_) words_->remove_text(sentence.id, sentence.text);
  remove_vectors(sentence.id);
}

void Changes::remove_vectors(SentenceId sentence) {
  if (has_vectors_) Query(delete_vectors_)->bind(1, sentence).run();
}

void Changes::remove_document(DocumentId id) {
  if (words_) words_->remove_title(id, title_of(id));
  Query(delete_document_)->bind(1, id).run();
}

void Changes::remember_deleted(std::string_view raw_title, std::int64_t number, SentenceId sentence,
                               const std::optional<ContentHash>& imported) {
  const Query row(insert_deleted_);
  row->bind(1, raw_title).bind(2, number).bind(3, sentence).bind(4, imported).run();
}

void Changes::forget_deleted(std::string_view raw_title, std::int64_t number) {
  Query(delete_deleted_)->bind(1, raw_title).bind(2, number).run();
}

}  // namespace memmatch
