#include "memmatch/datastore.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "text/cover.h"
#include "text/titles.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace memmatch {

using store::Connection;
using store::Query;
using store::Statement;
using store::Transaction;

namespace {

constexpr std::string_view kDocumentColumns = "id, raw_title, title, match_key";
constexpr std::string_view kSentenceColumns =
    "id, document, number, text, hash, revision, imported_hash";

// Candidates by words: beside the title cover, which has some 34, and alone.
constexpr std::size_t kByWords = 70;
constexpr std::size_t kByWordsAlone = 100;

// The title cover is enough where its best sentence has this part of the best one's weight.
constexpr double kNamed = 0.75;

// And leaves out what is there twice.
template <typename T>
void sort_by_id(std::vector<T>& items) {
  std::sort(items.begin(), items.end(), [](const T& a, const T& b) { return a.id < b.id; });
  const auto last =
      std::unique(items.begin(), items.end(), [](const T& a, const T& b) { return a.id == b.id; });
  items.erase(last, items.end());
}

bool contains(const std::vector<Candidate>& sorted, SentenceId id) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), id,
                                      [](const Candidate& a, SentenceId b) { return a.id < b; });
  return found != sorted.end() && found->id == id;
}

// An index and its table may disagree in a damaged file; what an index leads to is compared with
// what was looked for.
void expect_found(bool as_sought, const Connection& connection) {
  if (as_sought) return;
  throw Error(ErrorKind::corrupt,
              connection.name() + ": an index is damaged; run 'memmatch store repair'");
}

}  // namespace

std::string raw_title_of(std::string_view title) {
  if (text::tidy(title).empty())
    throw Error(ErrorKind::invalid_argument, "a document needs a title");
  return text::to_well_formed(title);
}

void throw_damaged_text(const Connection& connection, SentenceId sentence) {
  throw Error(ErrorKind::corrupt,
              fmt::format("{}: the text of the sentence with the id {} is not the one that was "
                          "stored: the file is damaged; 'memmatch store check' names all such "
                          "sentences; restore a copy, import again, or 'memmatch store edit' it",
                          connection.name(), sentence));
}

std::string select_documents(std::string_view where) {
  return fmt::format("SELECT {} FROM documents {}", kDocumentColumns, where);
}

std::string select_sentences(std::string_view where) {
  return fmt::format("SELECT {} FROM sentences {}", kSentenceColumns, where);
}

Document read_document(const Statement& row) {
  return {row.integer(0), std::string(row.text(1)), std::string(row.text(2)),
          std::string(row.text(3))};
}

Sentence read_sentence(const Statement& row) {
  return {.id = row.integer(0),
          .document = row.integer(1),
          .number = row.small_integer(2, 0),
          .text = std::string(row.text(3)),
          .hash = row.hash(4),
          .revision = row.small_integer(5, 1),
          .imported = row.optional_hash(6)};
}

Datastore::Impl::Impl(std::unique_ptr<Connection> open)
    : connection(std::move(open)),
      document_by_id(*connection, select_documents("WHERE id = ?1")),
      document_by_title(*connection, select_documents("WHERE raw_title = ?1")),
      documents_by_key(*connection, select_documents("WHERE match_key = ?1 ORDER BY id")),
      floor_key(
          *connection,
          "SELECT match_key FROM documents WHERE match_key <= ?1 ORDER BY match_key DESC LIMIT 1"),
      candidates(
          *connection,
          "SELECT id, number FROM sentences WHERE document = ?1 AND text <> '' ORDER BY number"),
      sentences_of(*connection, select_sentences("WHERE document = ?1 ORDER BY number")),
      sentence_by_id(*connection, select_sentences("WHERE id = ?1")),
      sentence_by_number(*connection, select_sentences("WHERE document = ?1 AND number = ?2")),
      vector_by_key(*connection, "SELECT vector FROM vectors WHERE key = ?1") {}

std::optional<Document> Datastore::Impl::document_by_raw_title(std::string_view raw_title) {
  const Query row(document_by_title);
  row->bind(1, raw_title);
  if (!row->step()) return std::nullopt;
  Document document = read_document(*row);
  expect_found(document.raw_title == raw_title, *connection);
  return document;
}

std::vector<Sentence> Datastore::Impl::stored_sentences(DocumentId document) {
  std::vector<Sentence> sentences;
  const Query rows(sentences_of);
  rows->bind(1, document);
  while (rows->step()) {
    sentences.push_back(read_sentence(*rows));
    expect_found(sentences.back().document == document, *connection);
  }
  return sentences;
}

std::optional<Sentence> Datastore::Impl::stored_sentence(DocumentId document, int number) {
  const Query row(sentence_by_number);
  row->bind(1, document).bind(2, std::int64_t{number});
  if (!row->step()) return std::nullopt;
  Sentence sentence = read_sentence(*row);
  expect_found(sentence.document == document && sentence.number == number, *connection);
  return sentence;
}

Sentence Datastore::Impl::verified(Sentence sentence) const {
  if (content_hash(sentence.text) == sentence.hash) return sentence;
  throw_damaged_text(*connection, sentence.id);
}

Datastore::Datastore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Datastore::Datastore(Datastore&&) noexcept = default;
Datastore& Datastore::operator=(Datastore&&) noexcept = default;
Datastore::~Datastore() = default;

Datastore Datastore::open(const std::filesystem::path& file, Access access,
                          std::chrono::milliseconds patience) {
  return Datastore(std::make_unique<Impl>(store::open_datastore_file(file, {access, patience})));
}

bool Datastore::has_moved() const { return impl_->connection->has_moved(); }

// Nested snapshots are one: the outermost decides what is seen, and for how long.
Datastore::Snapshot Datastore::snapshot() {
  if (impl_->snapshots == 0) {
    auto reading = std::make_unique<Transaction>(*impl_->connection, Transaction::Kind::read);
    // SQLite fixes the state with the first read.
    impl_->connection->query_integer("SELECT count(*) FROM (SELECT 1 FROM documents LIMIT 1)");
    impl_->reading = std::move(reading);
  }
  ++impl_->snapshots;
  return Snapshot(impl_.get());
}

Datastore::Snapshot::Snapshot(Snapshot&& other) noexcept
    : impl_(std::exchange(other.impl_, nullptr)) {}

Datastore::Snapshot::~Snapshot() {
  if (impl_ && --impl_->snapshots == 0) impl_->reading.reset();
}

Document Datastore::find_document(std::string_view title) {
  const ReadScope scope(*impl_->connection);
  const std::string raw_title = text::to_well_formed(title);
  if (std::optional<Document> document = impl_->document_by_raw_title(raw_title)) return *document;
  const std::string wanted = text::display_title(title);
  std::vector<Document> found;
  const std::string key = text::match_key(wanted);
  const Query rows(impl_->documents_by_key);
  rows->bind(1, key);
  while (rows->step()) {
    if (rows->text(2) == wanted) found.push_back(read_document(*rows));
  }
  if (found.empty()) {
    throw Error(ErrorKind::not_found, fmt::format("{}: no document has the title '{}'",
                                                  impl_->connection->name(), title));
  }
  if (found.size() > 1) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("{}: {} documents are displayed as '{}'; use a raw title, such as '{}' or '{}'",
                    impl_->connection->name(), found.size(), title, found[0].raw_title,
                    found[1].raw_title));
  }
  return found.front();
}

std::optional<Document> Datastore::document(DocumentId id) {
  const Query row(impl_->document_by_id);
  row->bind(1, id);
  return row->step() ? std::optional(read_document(*row)) : std::nullopt;
}

Document Datastore::document_of(const Sentence& sentence) {
  return expect(document(sentence.document), *impl_->connection);
}

std::vector<Sentence> Datastore::sentences(DocumentId document) {
  std::vector<Sentence> sentences = impl_->stored_sentences(document);
  for (Sentence& sentence : sentences) sentence = impl_->verified(std::move(sentence));
  return sentences;
}

std::optional<Sentence> Datastore::sentence(SentenceId id) {
  const Query row(impl_->sentence_by_id);
  row->bind(1, id);
  return row->step() ? std::optional(impl_->verified(read_sentence(*row))) : std::nullopt;
}

std::optional<Sentence> Datastore::sentence(DocumentId document, int number) {
  std::optional<Sentence> sentence = impl_->stored_sentence(document, number);
  return sentence ? std::optional(impl_->verified(*std::move(sentence))) : std::nullopt;
}

std::vector<PastRevision> Datastore::history(SentenceId id) {
  std::vector<PastRevision> revisions;
  Statement rows(*impl_->connection,
                 "SELECT revision, hash FROM history WHERE sentence = ?1 ORDER BY revision");
  rows.bind(1, id);
  while (rows.step()) revisions.push_back({rows.small_integer(0, 1), rows.hash(1)});
  return revisions;
}

Cover Datastore::cover(std::string_view claim) {
  const ReadScope scope(*impl_->connection);
  std::vector<std::string> keys = text::covering_keys(
      text::claim_key(claim), [&](std::string_view bound) -> std::optional<std::string> {
        const Query floor(impl_->floor_key);
        floor->bind(1, bound);
        return floor->step() ? std::optional<std::string>(floor->text(0)) : std::nullopt;
      });
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

  Cover cover;
  for (const std::string& key : keys) {
    const Query rows(impl_->documents_by_key);
    rows->bind(1, key);
    while (rows->step()) {
      cover.documents.push_back(read_document(*rows));
      expect_found(cover.documents.back().match_key == key, *impl_->connection);
    }
  }
  sort_by_id(cover.documents);
  for (const Document& document : cover.documents) {
    const Query rows(impl_->candidates);
    rows->bind(1, document.id);
    while (rows->step()) {
      cover.sentences.push_back({rows->integer(0), document.id, rows->small_integer(1, 0)});
    }
  }
  sort_by_id(cover.sentences);
  return cover;
}

bool Datastore::has_words() { return store::has_words(*impl_->connection); }

std::vector<WordMatch> Datastore::by_words(std::string_view text, std::size_t limit) {
  const ReadScope scope(*impl_->connection);
  if (!has_words()) return {};
  if (!impl_->word_search)
    impl_->word_search = std::make_unique<store::WordSearch>(*impl_->connection);
  return impl_->word_search->find(text, limit);
}

Cover Datastore::candidates(std::string_view claim, Candidates which) {
  if (which == Candidates::all)
    throw Error(ErrorKind::invalid_argument, "the whole datastore is no list of candidates");
  const ReadScope scope(*impl_->connection);
  Cover found = which == Candidates::words ? Cover{} : cover(claim);
  if (which == Candidates::cover) return found;
  const std::size_t limit = which == Candidates::words ? kByWordsAlone : kByWords;
  const std::vector<WordMatch> matches = by_words(claim, limit);
  // A claim that names what it is about needs no others: they would only mislead.
  const auto named = std::find_if(matches.begin(), matches.end(), [&](const WordMatch& match) {
    return contains(found.sentences, match.sentence.id);
  });
  if (named != matches.end() && named->weight >= kNamed * matches.front().weight) return found;
  for (const WordMatch& match : matches) {
    found.sentences.push_back(match.sentence);
    if (std::optional<Document> of_sentence = document(match.sentence.document))
      found.documents.push_back(*std::move(of_sentence));
  }
  sort_by_id(found.sentences);
  sort_by_id(found.documents);
  return found;
}

void Datastore::for_each_document(
    const std::function<void(const Document&, const std::vector<Sentence>&)>& visit) {
  const ReadScope scope(*impl_->connection);
  Statement rows(*impl_->connection, select_documents("ORDER BY id"));
  while (rows.step()) {
    const Document document = read_document(rows);
    visit(document, sentences(document.id));
  }
}

DatastoreStats Datastore::stats() {
  const ReadScope scope(*impl_->connection);
  Statement row(
      *impl_->connection,
      "SELECT count(*), coalesce(sum(text = ''), 0), coalesce(sum(imported_hash <> hash), 0), "
      "coalesce(sum(imported_hash IS NULL), 0) FROM sentences");
  row.step();
  const auto count = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
  const auto query = [&](const char* sql) {
    return static_cast<std::uint64_t>(impl_->connection->query_integer(sql));
  };
  return {.documents = query("SELECT count(*) FROM documents"),
          .sentences = count(0),
          .blank_sentences = count(1),
          .edited_sentences = count(2),
          .added_sentences = count(3),
          .deleted_sentences = query("SELECT count(*) FROM deleted WHERE number >= 0"),
          .vectors = query("SELECT count(*) FROM vectors"),
          .file_bytes = size_or_zero(impl_->connection->name()),
          .format_version = static_cast<int>(query("PRAGMA user_version"))};
}

}  // namespace memmatch
