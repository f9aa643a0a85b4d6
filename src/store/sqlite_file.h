#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "memmatch/datastore.h"
#include "store/sqlite.h"

namespace memmatch::store {

// What a kind of SQLite file of ours is told by.
struct FileKind {
  std::string_view name;            // "datastore"
  std::int64_t application_id = 0;  // in SQLite's header, so that `file` and we can tell
  std::int64_t version = 0;         // of the format
  // SQLite keeps these texts to the letter, and schema_difference compares them: a change is a new
  // format version.
  std::span<const std::string_view> schema;
  // Of the schema, the last statements, which files of the version before do not have: these are
  // read as they are.
  std::size_t new_statements = 0;
  std::span<const std::string_view> hidden = {};  // tables that virtual ones keep for themselves
  std::string_view made_by;                       // "'memmatch import' makes one"
  std::string_view recovery;                      // "import again"
};

struct OpenOptions {
  Datastore::Access access = Datastore::Access::read;
  std::chrono::milliseconds patience = Datastore::kPatience;  // of a writer with another one
};

// Opens a file and makes sure that it is of this kind. Throws Error: not_found; corrupt (not of
// this kind, truncated, damaged: the message says which); unsupported (written by a newer version);
// io.
std::unique_ptr<Connection> open_sqlite_file(const std::filesystem::path& file,
                                             const OpenOptions& options, const FileKind& kind);

// What is wrong with the tables and indexes as such; empty if they are the ones of this version.
std::string schema_difference(Connection& connection, const FileKind& kind);

}  // namespace memmatch::store
