#include "store/schema.h"

#include <fmt/format.h>

#include <array>

namespace memmatch::store {
namespace {

// docs/file_formats.md explains every column. AUTOINCREMENT is what keeps ids from being reused.
constexpr std::array<std::string_view, 10> kSchema{
    "CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, raw_title TEXT NOT NULL UNIQUE, "
    "title TEXT NOT NULL, match_key TEXT NOT NULL)",
    "CREATE INDEX documents_by_key ON documents (match_key)",
    "CREATE TABLE sentences (id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "document INTEGER NOT NULL REFERENCES documents (id), number INTEGER NOT NULL, text TEXT NOT "
    "NULL, "
    "hash BLOB NOT NULL, revision INTEGER NOT NULL, imported_hash BLOB)",
    "CREATE UNIQUE INDEX sentences_by_number ON sentences (document, number)",
    "CREATE TABLE history (sentence INTEGER NOT NULL, revision INTEGER NOT NULL, hash BLOB NOT "
    "NULL, "
    "PRIMARY KEY (sentence, revision)) WITHOUT ROWID",
    "CREATE TABLE deleted (raw_title TEXT NOT NULL, number INTEGER NOT NULL, sentence INTEGER NOT "
    "NULL, "
    "imported_hash BLOB, PRIMARY KEY (raw_title, number)) WITHOUT ROWID",
    "CREATE TABLE vector_sets (id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE, "
    "dimension INTEGER NOT NULL)",
    "CREATE TABLE vectors (key INTEGER PRIMARY KEY, vector BLOB NOT NULL)",
    // The index of words.
    "CREATE VIRTUAL TABLE title_words USING fts5(title, content='documents', content_rowid='id', "
    "detail=none, columnsize=0, tokenize='porter unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE sentence_words USING fts5(text, content='sentences', content_rowid='id', "
    "detail=none, columnsize=0, tokenize='porter unicode61 remove_diacritics 2')",
};
constexpr std::size_t kWordsStatements = 2;  // of these, the last
// FTS5 keeps an index in tables of its own.
constexpr std::array<std::string_view, 6> kWordsTables{
    "title_words_data",    "title_words_idx",    "title_words_config",
    "sentence_words_data", "sentence_words_idx", "sentence_words_config"};
constexpr std::string_view kKeyIndex = kSchema[1];

// "memm"
constexpr FileKind kDatastore{.name = "datastore",
                              .application_id = 0x6d656d6d,
                              .version = kFormatVersion,
                              .schema = kSchema,
                              .new_statements = kWordsStatements,
                              .hidden = kWordsTables,
                              .made_by = "'memmatch import' makes one",
                              .recovery = "import again"};

}  // namespace

std::string schema_difference(Connection& connection) {
  return schema_difference(connection, kDatastore);
}

void drop_key_index(Connection& connection) { connection.execute("DROP INDEX documents_by_key"); }

void create_key_index(Connection& connection) { connection.execute(std::string(kKeyIndex)); }

std::span<const std::string_view> words_schema() {
  return std::span(kSchema).last(kWordsStatements);
}

void set_version(Connection& connection) {
  connection.execute(fmt::format("PRAGMA user_version = {}", kFormatVersion));
}

std::unique_ptr<Connection> open_datastore_file(const std::filesystem::path& file,
                                                const OpenOptions& options) {
  return open_sqlite_file(file, options, kDatastore);
}

}  // namespace memmatch::store
