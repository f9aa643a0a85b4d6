#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/float16.h"
#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/vector_damage.h"

namespace memmatch {

using store::Connection;
using store::Query;
using store::Statement;
using store::Transaction;

namespace {

[[noreturn]] void damaged(const Connection& connection, std::string_view what) {
  throw Error(ErrorKind::corrupt,
              fmt::format("{}: {}; run 'memmatch store repair', then 'memmatch index'",
                          connection.name(), what));
}

// Both are read from files: what does not fit into a key is no id.
std::int64_t key_of(const VectorSet& set, SentenceId sentence, const Connection& connection) {
  if (set.id < 1 || set.id > kLastVectorSet || sentence < 0 || sentence >> kSentenceBits != 0)
    damaged(connection, fmt::format("there can be no vector of sentence {}", sentence));
  return (set.id << kSentenceBits) + sentence;
}

constexpr std::string_view kSourceColumns = "s.id, d.title, s.number, s.text, s.hash";

// A vector must not be made of a damaged text: it would stay when the text is mended.
VectorSource read_source(const Statement& row, const Connection& connection) {
  VectorSource source{row.integer(0), std::string(row.text(1)), row.small_integer(2, 0),
                      std::string(row.text(3))};
  if (content_hash(source.text) != row.hash(4)) throw_damaged_text(connection, source.id);
  return source;
}

VectorSet read_set(const Statement& row) { return {row.integer(0), row.hash(1), row.integer(2)}; }

void check_vector(std::string_view bytes, std::int64_t dimension, SentenceId sentence,
                  const Connection& connection) {
  if (!store::is_vector(bytes, dimension))
    damaged(connection, fmt::format("the vector of sentence {} is damaged", sentence));
}

std::string without_vector_sql(std::string_view columns) {
  return fmt::format(
      "SELECT {} FROM sentences s JOIN documents d ON d.id = s.document "
      "WHERE s.id > ?1 AND s.text <> '' AND NOT EXISTS (SELECT 1 FROM vectors WHERE key = ?2 + "
      "s.id) ",
      columns);
}

bool is_empty(Connection& connection, const VectorSet& set) {
  Statement row(connection, "SELECT 1 FROM vectors WHERE key >= ?1 AND key <= ?2 LIMIT 1");
  row.bind(1, key_of(set, 0, connection)).bind(2, key_of(set, kLastSentence, connection));
  return !row.step();
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
void insert_vectors(Connection& connection, const VectorSet& set,
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
    const bool unchanged = same.step();
    same.reset();
    if (!unchanged) continue;
    const auto* bytes = reinterpret_cast<const char*>(vectors.data() + i * dimension);
    insert.bind(1, key_of(set, source.id, connection))
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
  if (set.dimension == dimension) return set;
  if (is_empty(*connection, set)) return std::nullopt;
  damaged(*connection,
          fmt::format("its vectors are said to have {} components, the model's have {}",
                      set.dimension, dimension));
}

VectorSet Datastore::Impl::find_or_insert_set(const ContentHash& fingerprint,
                                              std::int64_t dimension) {
  if (const std::optional<VectorSet> set = find_set(fingerprint, dimension)) return *set;
  // One without vectors that says another dimension: it keeps its id, which others may know it by.
  Statement insert(*connection,
                   "INSERT INTO vector_sets (fingerprint, dimension) VALUES (?1, ?2) "
                   "ON CONFLICT (fingerprint) DO UPDATE SET dimension = excluded.dimension");
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
  rows.bind(1, after).bind(2, key_of(set, 0, *impl_->connection)).bind(3, std::int64_t{limit});
  while (rows.step()) sources.push_back(read_source(rows, *impl_->connection));
  return sources;
}

std::uint64_t Datastore::count_without_vector(const VectorSet& set) {
  Statement row(*impl_->connection, without_vector_sql("count(*)"));
  row.bind(1, std::int64_t{0}).bind(2, key_of(set, 0, *impl_->connection));
  row.step();
  return static_cast<std::uint64_t>(row.integer(0));
}

// Ids of sentences begin with 1 and are never used again.
std::uint64_t Datastore::most_vectors(const VectorSet& set) {
  Statement row(*impl_->connection,
                "SELECT key FROM vectors WHERE key >= ?1 AND key <= ?2 ORDER BY key DESC LIMIT 1");
  const std::int64_t first = key_of(set, 0, *impl_->connection);
  row.bind(1, first).bind(2, key_of(set, kLastSentence, *impl_->connection));
  return row.step() ? static_cast<std::uint64_t>(row.integer(0) - first) : 0;
}

std::uint64_t Datastore::count_vectors(const VectorSet& set) {
  Statement row(*impl_->connection, "SELECT count(*) FROM vectors WHERE key >= ?1 AND key <= ?2");
  row.bind(1, key_of(set, 0, *impl_->connection))
      .bind(2, key_of(set, kLastSentence, *impl_->connection));
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
    while (row.step()) sources.push_back(read_source(row, *impl_->connection));
  }
  return sources;
}

bool Datastore::read_vector(const VectorSet& set, SentenceId id, std::span<std::uint16_t> vector) {
  const Query row(impl_->vector_by_key);
  row->bind(1, key_of(set, id, *impl_->connection));
  if (!row->step()) return false;
  const std::string_view bytes = row->blob(0);
  check_vector(bytes, static_cast<std::int64_t>(vector.size()), id, *impl_->connection);
  std::memcpy(vector.data(), bytes.data(), bytes.size());
  return true;
}

void Datastore::for_each_vector(
    const VectorSet& set,
    const std::function<void(SentenceId, std::span<const std::uint16_t>)>& visit) {
  const std::int64_t first = key_of(set, 0, *impl_->connection);
  Statement rows(*impl_->connection,
                 "SELECT key, vector FROM vectors WHERE key >= ?1 AND key <= ?2");
  rows.bind(1, first).bind(2, key_of(set, kLastSentence, *impl_->connection));
  std::vector<std::uint16_t> vector;
  while (rows.step()) {
    const SentenceId id = rows.integer(0) - first;
    const std::string_view bytes = rows.blob(1);
    check_vector(bytes, set.dimension, id, *impl_->connection);
    vector.resize(bytes.size() / sizeof(std::uint16_t));
    std::memcpy(vector.data(), bytes.data(), bytes.size());
    visit(id, vector);
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
