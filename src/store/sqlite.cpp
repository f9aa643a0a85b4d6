#include "store/sqlite.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "memmatch/error.h"

namespace memmatch::store {
namespace {

struct Explanation {
  ErrorKind kind;
  std::string_view advice;
};

Explanation explain(int code) {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return {ErrorKind::corrupt, "this is not a file of memmatch"};
    case SQLITE_CORRUPT:
      return {ErrorKind::corrupt, "the file is damaged; restore a copy, or make it again"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::conflict,
              "another process is writing to it; try again when it has finished"};
    case SQLITE_FULL:
      return {ErrorKind::full, "the disk is full; nothing was changed"};
    case SQLITE_READONLY:
      return {ErrorKind::io, "the file or its folder is not writable"};
    case SQLITE_CANTOPEN:
      return {ErrorKind::io, "check that the file can be read and its folder written"};
    case SQLITE_TOOBIG:
      return {ErrorKind::invalid_argument, "a text is too large (1 GB at most)"};
    case SQLITE_IOERR:
      return {ErrorKind::io, "reading or writing the file failed"};
    default:
      return {ErrorKind::io, "SQLite refused"};
  }
}

}  // namespace

void Connection::fail(int code, std::string_view action) const {
  const Explanation explanation = explain(code);
  const char* detail = db_ ? sqlite3_errmsg(db_.get()) : sqlite3_errstr(code);
  throw Error(explanation.kind,
              fmt::format("{}: cannot {}: {} ({})", name_, action, explanation.advice, detail));
}

Connection::Connection(const std::string& uri, int flags, std::string name)
    : name_(std::move(name)) {
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(uri.c_str(), &db, flags, nullptr);
  db_.reset(db);
  if (code != SQLITE_OK) fail(code, "open");
  sqlite3_extended_result_codes(db, 1);
  // The file may come from anywhere: nothing in its schema is to be trusted.
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

void Connection::set_patience(std::chrono::milliseconds patience) {
  constexpr std::int64_t kLongest = std::numeric_limits<int>::max();
  sqlite3_busy_timeout(db_.get(),
                       static_cast<int>(std::clamp<std::int64_t>(patience.count(), 0, kLongest)));
  patience_ = patience;
}

void Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code, "change it");
}

std::int64_t Connection::query_integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Connection::query_text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? std::string(statement.text(0)) : std::string();
}

Statement::Statement(Connection& connection, std::string_view sql) : connection_(&connection) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) connection.fail(code, "read it");
}

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL; an empty view may hold one.
  const char* data = text.data() ? text.data() : "";
  const int code =
      sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) connection_->fail(code, "take a text");
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  const int code =
      sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) connection_->fail(code, "take a value");
  return *this;
}

Statement& Statement::bind(int index, const ContentHash& hash) {
  sqlite3_bind_blob(statement_.get(), index, hash.data(), static_cast<int>(hash.size()),
                    SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::bind(int index, const std::optional<ContentHash>& hash) {
  if (hash) return bind(index, *hash);
  sqlite3_bind_null(statement_.get(), index);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    try {
      connection_->fail(code, sqlite3_stmt_readonly(statement_.get()) ? "read" : "write");
    } catch (...) {
      reset();
      throw;
    }
  }
  reset();
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return {data ? data : "",
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::blob(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

ContentHash Statement::hash(int column) const {
  const auto* data =
      static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  ContentHash hash{};
  if (sqlite3_column_bytes(statement_.get(), column) != static_cast<int>(hash.size())) {
    throw Error(
        ErrorKind::corrupt,
        connection_->name() + ": a hash in it is damaged; restore a copy, or make it again");
  }
  std::copy_n(data, hash.size(), hash.begin());
  return hash;
}

std::optional<ContentHash> Statement::optional_hash(int column) const {
  return is_null(column) ? std::nullopt : std::optional(hash(column));
}

std::int64_t change_counter(Connection& connection) {
  // data_version counts the changes of others, total_changes our own.
  return connection.query_integer("PRAGMA data_version") * (std::int64_t{1} << 32) +
         sqlite3_total_changes64(connection.get());
}

Transaction::Transaction(Connection& connection, Kind kind) : connection_(connection) {
  connection.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // SQLite itself rolls back after some errors, such as a full disk.
  if (open_ && connection_.in_transaction()) {
    sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace memmatch::store
