#include "store/schema.h"

#include <array>

namespace memmatch::store {
namespace {

// docs/file_formats.md explains every column. AUTOINCREMENT is what keeps ids from being reused.
constexpr std::array<std::string_view, 8> kSchema{
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
};
constexpr std::string_view kKeyIndex = kSchema[1];

// "memm"
constexpr FileKind kDatastore{.name = "datastore",
                              .application_id = 0x6d656d6d,
                              .version = kFormatVersion,
                              .schema = kSchema,
                              .made_by = "'memmatch import' makes one",
                              .recovery = "import again"};

}  // namespace

std::string schema_difference(Connection& connection) {
  return schema_difference(connection, kDatastore);
}

void drop_key_index(Connection& connection) { connection.execute("DROP INDEX documents_by_key"); }

void create_key_index(Connection& connection) { connection.execute(std::string(kKeyIndex)); }

std::unique_ptr<Connection> open_datastore_file(const std::filesystem::path& file,
                                                const OpenOptions& options) {
  return open_sqlite_file(file, options, kDatastore);
}

}  // namespace memmatch::store
