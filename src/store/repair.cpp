#include "base/files.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "store/vector_damage.h"

namespace memmatch {

using store::Connection;
using store::Statement;
using store::Transaction;

namespace {

std::uint64_t remove_rows(Connection& connection, std::string_view sql,
                          const std::vector<std::int64_t>& ids) {
  Statement remove(connection, sql);
  for (const std::int64_t id : ids) remove.bind(1, id).run();
  return ids.size();
}

// SQLite counts there what AUTOINCREMENT ever gave.
bool was_ever_filled(Connection& connection) {
  return connection.query_integer("SELECT count(*) FROM sqlite_sequence") > 0;
}

// Nobody else may have it open: they would go on to write into a file without a name. SQLite leaves
// the WAL mode only for one who has it alone.
bool remove_if_empty_and_alone(const std::filesystem::path& file) {
  const std::unique_ptr<Connection> connection =
      store::open_datastore_file(file, {Datastore::Access::write, std::chrono::milliseconds(0)});
  if (was_ever_filled(*connection)) return false;
  if (connection->query_text("PRAGMA journal_mode = DELETE") != "delete") return false;
  {
    const Transaction transaction(*connection, Transaction::Kind::write);
    if (!was_ever_filled(*connection)) {
      remove_file(file);
      return true;
    }
  }
  connection->execute("PRAGMA journal_mode = WAL");  // somebody came in between
  return false;
}

}  // namespace

bool Datastore::remove_if_empty(const std::filesystem::path& file) {
  try {
    return remove_if_empty_and_alone(file);
  } catch (const Error&) {
    return false;
  }
}

// Sets are removed first, so that their vectors belong to none and go, too.
DatastoreRepair Datastore::repair() {
  Connection& connection = *impl_->connection;
  Transaction transaction(connection, Transaction::Kind::write);
  connection.execute("REINDEX");
  if (has_words()) store::rebuild_words(connection);
  DatastoreRepair done;
  done.vector_sets = remove_rows(connection, "DELETE FROM vector_sets WHERE id = ?1",
                                 store::damaged_vector_sets(connection));
  std::vector<std::int64_t> keys;
  store::for_each_damaged_vector(connection,
                                 [&](std::int64_t key, std::string_view) { keys.push_back(key); });
  done.vectors = remove_rows(connection, "DELETE FROM vectors WHERE key = ?1", keys);
  transaction.commit();
  return done;
}

}  // namespace memmatch
