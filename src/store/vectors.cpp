#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/float16.h"
#include "memmatch/error.h"
#include "store/impl.h"

namespace memmatch {

using store::Statement;
using store::Transaction;

namespace {

std::int64_t key_of(const VectorSet& set, SentenceId sentence) {
  return (set.id << kSentenceBits) + sentence;
}

constexpr std::string_view kSourceColumns = "s.id, d.title, s.number, s.text";

VectorSource read_source(const Statement& row) {
  return {row.integer(0), std::string(row.text(1)), static_cast<int>(row.integer(2)),
          std::string(row.text(3))};
}

VectorSet read_set(const Statement& row) { return {row.integer(0), row.hash(1), row.integer(2)}; }

std::string without_vector_sql(std::string_view columns) {
  return fmt::format(
      "SELECT {} FROM sentences s JOIN documents d ON d.id = s.document "
      "WHERE s.id > ?1 AND s.text <> '' AND NOT EXISTS (SELECT 1 FROM vectors WHERE key = ?2 + "
      "s.id) ",
      columns);
}

// A caller's mistake is not kept in the file.
void check_vectors(std::span<const VectorSource> sources, std::span<const std::uint16_t> vectors,
                   std::int64_t dimension) {
  if (dimension < 1 || vectors.size() != sources.size() * static_cast<std::size_t>(dimension)) {
    throw Error(ErrorKind::invalid_argument, "vectors and their sources differ in number");
  }
  if (!std::all_of(vectors.begin(), vectors.end(), is_finite_half)) {
    throw Error(ErrorKind::invalid_argument, "a vector holds what is no finite number");
  }
}

// Needs an open write transaction.
void insert_vectors(store::Connection& connection, const VectorSet& set,
                    std::span<const VectorSource> sources, std::span<const std::uint16_t> vectors) {
  Statement same(connection,
                 "SELECT 1 FROM sentences s JOIN documents d ON d.id = s.document "
                 "WHERE s.id = ?1 AND s.text = ?2 AND s.number = ?3 AND d.title = ?4");
  Statement insert(connection, "INSERT OR REPLACE INTO vectors (key, vector) VALUES (?1, ?2)");
  const auto dimension = static_cast<std::size_t>(set.dimension);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const VectorSource& source = sources[i];
    same.bind(1, source.id)
        .bind(2, source.text)
        .bind(3, std::int64_t{source.number})
        .bind(4, source.title);
    const bool unchanged = same.first();
    same.reset();
    if (!unchanged) continue;
    const auto* bytes = reinterpret_cast<const char*>(vectors.data() + i * dimension);
    insert.bind(1, key_of(set, source.id))
        .bind_blob(2, {bytes, dimension * sizeof(std::uint16_t)})
        .run();
  }
}

}  // namespace

std::optional<VectorSet> Datastore::Impl::find_set(const ContentHash& fingerprint,
                                                   std::int64_t dimension) {
  Statement row(*connection,
                "SELECT id, fingerprint, dimension FROM vector_sets WHERE fingerprint = ?1");
  row.bind(1, fingerprint);
  if (!row.step()) return std::nullopt;
  const VectorSet set = read_set(row);
  if (set.dimension != dimension) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: its vectors have {} components, the model's {}; run 'memmatch "
                            "store repair', then 'memmatch index'",
                            connection->name(), set.dimension, dimension));
  }
  return set;
}

VectorSet Datastore::Impl::find_or_insert_set(const ContentHash& fingerprint,
                                              std::int64_t dimension) {
  Statement insert(*connection,
                   "INSERT OR IGNORE INTO vector_sets (fingerprint, dimension) VALUES (?1, ?2)");
  insert.bind(1, fingerprint).bind(2, dimension).run();
  return expect(find_set(fingerprint, dimension), *connection);
}

std::optional<VectorSet> Datastore::vector_set(const ContentHash& fingerprint,
                                               std::int64_t dimension) {
  return impl_->find_set(fingerprint, dimension);
}

std::vector<VectorSet> Datastore::vector_sets() {
  std::vector<VectorSet> sets;
  Statement rows(*impl_->connection,
                 "SELECT id, fingerprint, dimension FROM vector_sets ORDER BY id");
  while (rows.step()) sets.push_back(read_set(rows));
  return sets;
}

VectorSet Datastore::make_vector_set(const ContentHash& fingerprint, std::int64_t dimension) {
  if (const std::optional<VectorSet> set = vector_set(fingerprint, dimension)) return *set;
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  const VectorSet set = impl_->find_or_insert_set(fingerprint, dimension);
  transaction.commit();
  return set;
}

std::vector<VectorSource> Datastore::without_vector(const VectorSet& set, SentenceId after,
                                                    int limit) {
  std::vector<VectorSource> sources;
  Statement rows(*impl_->connection, without_vector_sql(kSourceColumns) + "ORDER BY s.id LIMIT ?3");
  rows.bind(1, after).bind(2, key_of(set, 0)).bind(3, std::int64_t{limit});
  while (rows.step()) sources.push_back(read_source(rows));
  return sources;
}

std::uint64_t Datastore::count_without_vector(const VectorSet& set) {
  Statement row(*impl_->connection, without_vector_sql("count(*)"));
  row.bind(1, std::int64_t{0}).bind(2, key_of(set, 0));
  row.step();
  return static_cast<std::uint64_t>(row.integer(0));
}

std::vector<VectorSource> Datastore::vector_sources(std::span<const SentenceId> ids) {
  const ReadScope scope(*impl_->connection);
  std::vector<VectorSource> sources;
  Statement row(
      *impl_->connection,
      fmt::format(
          "SELECT {} FROM sentences s JOIN documents d ON d.id = s.document WHERE s.id = ?1",
          kSourceColumns));
  for (const SentenceId id : ids) {
    row.bind(1, id);
    while (row.step()) sources.push_back(read_source(row));
  }
  return sources;
}

bool Datastore::read_vector(const VectorSet& set, SentenceId id, std::span<std::uint16_t> vector) {
  Statement& row = impl_->vector_by_key.bind(1, key_of(set, id));
  if (!row.first()) return false;
  const std::string_view bytes = row.blob(0);
  const bool fits = bytes.size() == vector.size_bytes();
  if (fits) std::memcpy(vector.data(), bytes.data(), bytes.size());
  row.reset();
  if (!fits) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: the vector of sentence {} is damaged; run 'store check'",
                            impl_->connection->name(), id));
  }
  return true;
}

void Datastore::for_each_vector(
    const VectorSet& set,
    const std::function<void(SentenceId, std::span<const std::uint16_t>)>& visit) {
  Statement rows(*impl_->connection,
                 "SELECT key, vector FROM vectors WHERE key >= ?1 AND key < ?2");
  rows.bind(1, key_of(set, 0)).bind(2, key_of({set.id + 1, {}, 0}, 0));
  std::vector<std::uint16_t> vector(static_cast<std::size_t>(set.dimension));
  while (rows.step()) {
    const std::string_view bytes = rows.blob(1);
    if (bytes.size() != vector.size() * sizeof(std::uint16_t)) continue;  // `store check` tells
    std::memcpy(vector.data(), bytes.data(), bytes.size());
    visit(rows.integer(0) - key_of(set, 0), vector);
  }
}

void Datastore::write_vectors(const VectorSet& set, std::span<const VectorSource> sources,
                              std::span<const std::uint16_t> vectors) {
  check_vectors(sources, vectors, set.dimension);
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  insert_vectors(*impl_->connection, set, sources, vectors);
  transaction.commit();
}

bool Datastore::try_write_vectors(const ContentHash& fingerprint, std::int64_t dimension,
                                  std::span<const VectorSource> sources,
                                  std::span<const std::uint16_t> vectors) {
  check_vectors(sources, vectors, dimension);
  if (impl_->connection->in_transaction()) return false;
  const store::Impatience impatience(*impl_->connection);
  try {
    Transaction transaction(*impl_->connection, Transaction::Kind::write);
    insert_vectors(*impl_->connection, impl_->find_or_insert_set(fingerprint, dimension), sources,
                   vectors);
    transaction.commit();
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::int64_t Datastore::change_counter() { return store::change_counter(*impl_->connection); }

}  // namespace memmatch
