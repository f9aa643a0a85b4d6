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
// next use. Bound texts are not copied: they must live until the last step.
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

  // For queries of which only the first row matters. Read the columns before the next step().
  bool first() {
    reset();
    return step();
  }
  void reset() { sqlite3_reset(statement_.get()); }

  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;

  // Throws Error(corrupt) where the column holds anything but 16 bytes.
  ContentHash hash(int column) const;
  std::optional<ContentHash> optional_hash(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

// A number that changes with every change of the file by anyone, while the connection is open.
std::int64_t change_counter(Connection& connection);

// A transaction that is rolled back unless committed.
class Transaction {
 public:
  enum class Kind { read, write };

  Transaction(Connection& connection, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace memmatch::store
