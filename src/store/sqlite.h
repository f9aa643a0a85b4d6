#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "memmatch/types.h"

// SQLite with exceptions and destructors, and nothing more.

namespace memmatch::store {

class Connection {
 public:
  // `flags` as for sqlite3_open_v2; `uri` may be a path or a "file:" URI, `name` is for messages.
  Connection(const std::string& uri, int flags, std::string name);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void execute(const std::string& sql);
  std::int64_t query_integer(const std::string& sql);
  std::string query_text(const std::string& sql);

  // How long a writer waits for another one to finish.
  void set_patience(std::chrono::milliseconds patience);
  std::chrono::milliseconds patience() const { return patience_; }

  // After a write transaction was rolled back. What was left undone for want of memory, or since
  // the file could not be read, is done before the next use: rolling back, and opening virtual
  // tables anew, which may know what has not happened.
  void rolled_back() { unsettled_ = true; }
  void recover();

  // How much of the file may be held in memory. A matter of speed: it cannot fail.
  void set_cache(int mebibytes);

  // Whether the file was deleted, or another one put in its place, since it was opened.
  bool has_moved() const;

  bool in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }
  std::int64_t last_insert_id() const { return sqlite3_last_insert_rowid(db_.get()); }
  std::int64_t changes() const { return sqlite3_changes64(db_.get()); }
  const std::string& name() const { return name_; }
  sqlite3* get() const { return db_.get(); }

  // Throws the Error that fits SQLite's result code, naming the file and what was tried.
  [[noreturn]] void fail(int code, std::string_view action) const;

 private:
  struct Closer {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::string name_;
  std::unique_ptr<sqlite3, Closer> db_;
  std::chrono::milliseconds patience_{};
  bool unsettled_ = false;
};

// Memory that is taken only as it is needed. A server has several connections; what they do not
// hold, the operating system's cache does.
inline constexpr int kCacheMiB = 4;

// While it lives, the connection may hold far more of the file: an import comes back to the same
// pages again and again, and would have to write them each time.
class LargeCache {
 public:
  explicit LargeCache(Connection& connection) : connection_(connection) {
    connection_.set_cache(kLargeMiB);
  }
  LargeCache(const LargeCache&) = delete;
  LargeCache& operator=(const LargeCache&) = delete;
  ~LargeCache() { connection_.set_cache(kCacheMiB); }

 private:
  static constexpr int kLargeMiB = 128;
  Connection& connection_;
};

// While it lives, no write through the connection waits for another writer.
class Impatience {
 public:
  explicit Impatience(Connection& connection)
      : connection_(connection), patience_(connection.patience()) {
    connection.set_patience(std::chrono::milliseconds(0));
  }
  Impatience(const Impatience&) = delete;
  Impatience& operator=(const Impatience&) = delete;
  ~Impatience() { connection_.set_patience(patience_); }

 private:
  Connection& connection_;
  std::chrono::milliseconds patience_;
};

// A prepared statement. Bind all parameters (from 1), step until false, and it is ready for the
// next use. Bound texts are not copied: they must live until the last step. Where it is left before
// the last row, by an exception too, it cannot be bound again: keep it for one function only, or as
// a Prepared.
class Statement {
 public:
  Statement(Connection& connection, std::string_view sql);

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::string_view bytes);
  Statement& bind(int index, const ContentHash& hash);
  Statement& bind(int index, const std::optional<ContentHash>& hash);

  // Moves to the next row; false after the last, and the statement is reset. Throws Error.
  bool step();

  // For statements without rows.
  void run();

  // The same where nothing can be done about an error.
  void try_once();

  // To be used again before the last row.
  void reset() { sqlite3_reset(statement_.get()); }

  // The columns of the row; texts and blobs live until the next step() or reset(). Throws Error
  // where memory is short.
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;

  // Throws Error(corrupt) where the column is below `least` or too large for an int.
  int small_integer(int column, int least) const;

  // Throws Error(corrupt) where the column holds anything but 16 bytes.
  ContentHash hash(int column) const;
  std::optional<ContentHash> optional_hash(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  void check(int code) const;
  void check_memory(const void* data) const;

  Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

// A statement that is kept, to be used again and again: only through a Query.
class Prepared {
 public:
  Prepared(Connection& connection, std::string_view sql) : statement_(connection, sql) {}

 private:
  friend class Query;
  Statement statement_;
};

// One use of a Prepared. Whatever is thrown meanwhile, the next use begins anew. One at a time.
class Query {
 public:
  explicit Query(Prepared& prepared) : statement_(prepared.statement_) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query() { statement_.reset(); }

  Statement* operator->() const { return &statement_; }
  Statement& operator*() const { return statement_; }

 private:
  Statement& statement_;
};

// A number that changes with every change of the file by anyone, while the connection is open.
std::int64_t change_counter(Connection& connection);

// A transaction that is rolled back unless committed. Throws Error: conflict where another writer
// is at work, or (to write) where the file was deleted or replaced: nobody would see what is
// written; invalid_argument within another transaction of the connection.
class Transaction {
 public:
  enum class Kind { read, write };

  Transaction(Connection& connection, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  void roll_back();

  Connection& connection_;
  Kind kind_;
  Statement rollback_;  // made beforehand, since memory may be what runs out
  bool open_ = true;
};

}  // namespace memmatch::store
