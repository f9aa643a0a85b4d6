#include "store/sqlite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "memmatch/error.h"

namespace memmatch::store {
namespace {

struct Explanation {
  ErrorKind kind;
  std::string_view advice;
};

constexpr Explanation kFull{ErrorKind::full, "the disk is full; nothing was changed"};

// `system_code` is what the operating system said last, where it said anything.
Explanation explain(int code, int system_code) {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return {ErrorKind::corrupt, "this is not a file of memmatch, or a damaged one"};
    case SQLITE_CORRUPT:
      return {ErrorKind::corrupt, "the file is damaged; restore a copy, or make it again"};
    case SQLITE_CONSTRAINT:
      return {ErrorKind::corrupt,
              "its rows contradict each other: the file is damaged; restore a copy, or make it "
              "again"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::conflict,
              "another process is writing to it; try again when it has finished"};
    case SQLITE_FULL:
      return kFull;
    case SQLITE_READONLY:
      return {ErrorKind::io, "the file or its folder is not writable"};
    case SQLITE_NOMEM:
      return {ErrorKind::io, "there is not enough memory"};
    case SQLITE_TOOBIG:
      return {ErrorKind::invalid_argument, "a text is too large (1 GB at most)"};
    case SQLITE_CANTOPEN:
      if (system_code == ENOSPC || system_code == EDQUOT) return kFull;
      return {ErrorKind::io, "check that the file can be read and its folder written"};
    case SQLITE_IOERR:
      if (system_code == ENOSPC || system_code == EDQUOT) return kFull;
      return {ErrorKind::io, "reading or writing the file failed"};
    default:
      return {ErrorKind::io, "SQLite refused"};
  }
}

}  // namespace

void Connection::fail(int code, std::string_view action) const {
  const Explanation explanation = explain(code, db_ ? sqlite3_system_errno(db_.get()) : 0);
  const char* detail = db_ ? sqlite3_errmsg(db_.get()) : sqlite3_errstr(code);
  throw Error(explanation.kind,
              fmt::format("{}: cannot {}: {} ({})", name_, action, explanation.advice, detail));
}

void Connection::recover() {
  if (!unsettled_) return;
  int code = SQLITE_OK;
  if (in_transaction()) code = sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) {
    code = sqlite3_exec(db_.get(), "PRAGMA writable_schema = RESET", nullptr, nullptr, nullptr);
  }
  // The first read may still say the error of a file that can be read again, and then forgets it.
  const char* read = "SELECT 1 FROM sqlite_schema LIMIT 1";
  for (int reads = 0; code == SQLITE_OK && reads < 2; ++reads) {
    if (sqlite3_exec(db_.get(), read, nullptr, nullptr, nullptr) == SQLITE_OK) break;
    if (reads == 1) code = sqlite3_errcode(db_.get());
  }
  if (code != SQLITE_OK) fail(code, "go back to what it was");
  unsettled_ = false;
}

void Connection::set_cache(int mebibytes) {
  const std::string sql = fmt::format("PRAGMA cache_size = -{}", mebibytes * 1024);
  sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr);
}

bool Connection::has_moved() const {
  int moved = 0;
  sqlite3_file_control(db_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
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

void Statement::check(int code) const {
  if (code != SQLITE_OK) connection_->fail(code, "take a value");
}

Statement& Statement::bind(int index, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), index, value));
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL; an empty view may hold one.
  const char* data = text.data() ? text.data() : "";
  check(
      sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind(int index, const ContentHash& hash) {
  check(sqlite3_bind_blob(statement_.get(), index, hash.data(), static_cast<int>(hash.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind(int index, const std::optional<ContentHash>& hash) {
  if (hash) return bind(index, *hash);
  check(sqlite3_bind_null(statement_.get(), index));
  return *this;
}

bool Statement::step() {
  if (!sqlite3_stmt_busy(statement_.get())) connection_->recover();
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

void Statement::try_once() {
  sqlite3_step(statement_.get());
  reset();
}

void Statement::run() {
  while (step()) {
  }
}

// SQLite gives no data for NULL, for an empty blob, and where it had no memory to fetch a value: a
// text that is empty for that reason must not be taken for one.
void Statement::check_memory(const void* data) const {
  if (!data && sqlite3_errcode(connection_->get()) == SQLITE_NOMEM)
    connection_->fail(SQLITE_NOMEM, "read");
}

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  check_memory(data);
  return {data ? data : "",
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::blob(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  check_memory(data);
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

int Statement::small_integer(int column, int least) const {
  const std::int64_t value = integer(column);
  if (value < least || value > std::numeric_limits<int>::max()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: it says {} where a number from {} on is expected: the file is "
                            "damaged; restore a copy, or make it again",
                            connection_->name(), value, least));
  }
  return static_cast<int>(value);
}

ContentHash Statement::hash(int column) const {
  const std::string_view bytes = blob(column);
  ContentHash hash{};
  if (bytes.size() != hash.size()) {
    throw Error(
        ErrorKind::corrupt,
        connection_->name() + ": a hash in it is damaged; restore a copy, or make it again");
  }
  std::copy_n(bytes.data(), hash.size(), hash.begin());
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

Transaction::Transaction(Connection& connection, Kind kind)
    : connection_(connection), kind_(kind), rollback_(connection, "ROLLBACK") {
  connection.recover();
  if (connection.in_transaction()) {
    throw Error(
        ErrorKind::invalid_argument,
        connection.name() + ": a snapshot or an import of the same object is open; end it first");
  }
  connection.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
  if (kind == Kind::read || !connection.has_moved()) return;
  roll_back();
  throw Error(ErrorKind::conflict, connection.name() +
                                       ": was deleted, or replaced by another file, since it was "
                                       "opened; open it again");
}

Transaction::~Transaction() {
  if (open_) roll_back();
}

void Transaction::roll_back() {
  // SQLite itself rolls back after some errors, such as a full disk.
  if (connection_.in_transaction()) rollback_.try_once();
  if (kind_ == Kind::write) connection_.rolled_back();
}

void Transaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace memmatch::store
