#include "memmatch/exemplars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "memmatch/error.h"
#include "store/exemplar_impl.h"
#include "store/exemplar_schema.h"

namespace memmatch {

using store::Statement;

namespace {

constexpr std::string_view kColumns =
    "e.id, s.tag, e.claim, e.gold, e.predicted, e.first_gold FROM exemplars e JOIN sources s ON "
    "s.id = e.source";

constexpr std::string_view kSourceColumns =
    "s.tag, s.setting, s.done, s.total, (SELECT count(*) FROM exemplars WHERE source = s.id), "
    "(SELECT count(*) FROM exemplars WHERE source = s.id AND gold <> first_gold) FROM sources s";

ExemplarSource read_source(const Statement& row) {
  const auto count = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
  return {
      std::string(row.text(0)), std::string(row.text(1)), count(2), count(3), count(4), count(5)};
}

// What the filter asks for, as SQL; a tag is bound as ?1.
std::string condition(const ExemplarFilter& filter) {
  std::string sql = " WHERE (?1 = '' OR s.tag = ?1)";
  if (filter.gold) sql += fmt::format(" AND e.gold = {}", static_cast<int>(*filter.gold));
  if (filter.predicted)
    sql += fmt::format(" AND e.predicted = {}", static_cast<int>(*filter.predicted));
  sql += " ORDER BY e.id";
  if (filter.limit > 0) sql += fmt::format(" LIMIT {}", filter.limit);
  return sql;
}

}  // namespace

ExemplarKind kind_for(Label label, Label gold, Label predicted) {
  if (gold == label)
    return predicted == label ? ExemplarKind::true_positive : ExemplarKind::false_negative;
  return predicted == label ? ExemplarKind::false_positive : ExemplarKind::true_negative;
}

std::string_view name_of(ExemplarKind kind) {
  switch (kind) {
    case ExemplarKind::true_positive:
      return "tp";
    case ExemplarKind::false_negative:
      return "fn";
    case ExemplarKind::false_positive:
      return "fp";
    case ExemplarKind::true_negative:
      break;
  }
  return "tn";
}

Exemplars::Exemplars(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Exemplars::Exemplars(Exemplars&&) noexcept = default;
Exemplars& Exemplars::operator=(Exemplars&&) noexcept = default;
Exemplars::~Exemplars() = default;

Exemplars Exemplars::open(const std::filesystem::path& file, Access access,
                          std::chrono::milliseconds patience) {
  return Exemplars(std::make_unique<Impl>(
      store::open_sqlite_file(file, {access, patience}, store::exemplar_file_kind())));
}

std::vector<GivenEvidence> Exemplars::Impl::evidence(ExemplarId id) {
  std::vector<GivenEvidence> sentences;
  Statement rows(*connection,
                 "SELECT raw_title, title, number, text FROM evidence WHERE exemplar = ?1 "
                 "ORDER BY rank");
  rows.bind(1, id);
  while (rows.step()) {
    sentences.push_back({std::string(rows.text(0)), std::string(rows.text(1)),
                         rows.small_integer(2, std::numeric_limits<int>::min()),
                         std::string(rows.text(3))});
  }
  return sentences;
}

Exemplar Exemplars::Impl::read(const Statement& row) {
  const auto label = [&](int column) {
    const std::int64_t value = row.integer(column);
    if (value < 0 || value > 2) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: exemplar {} has no label; restore a copy, or build it again",
                              connection->name(), row.integer(0)));
    }
    return static_cast<Label>(value);
  };
  Exemplar exemplar{.id = row.integer(0),
                    .tag = std::string(row.text(1)),
                    .claim = std::string(row.text(2)),
                    .evidence = {},
                    .gold = label(3),
                    .predicted = label(4),
                    .first_gold = label(5)};
  exemplar.evidence = evidence(exemplar.id);
  return exemplar;
}

std::optional<ExemplarSource> Exemplars::Impl::source(std::string_view tag) {
  Statement row(*connection, fmt::format("SELECT {} WHERE s.tag = ?1", kSourceColumns));
  row.bind(1, tag);
  return row.step() ? std::optional(read_source(row)) : std::nullopt;
}

std::optional<ExemplarSource> Exemplars::source(std::string_view tag) { return impl_->source(tag); }

std::vector<ExemplarSource> Exemplars::sources() {
  std::vector<ExemplarSource> all;
  Statement rows(*impl_->connection, fmt::format("SELECT {} ORDER BY s.id", kSourceColumns));
  while (rows.step()) all.push_back(read_source(rows));
  return all;
}

Exemplar Exemplars::exemplar(ExemplarId id) {
  Statement row(*impl_->connection, fmt::format("SELECT {} WHERE e.id = ?1", kColumns));
  row.bind(1, id);
  if (!row.step()) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: there is no exemplar {}; 'memmatch exemplars list' shows them",
                            impl_->connection->name(), id));
  }
  return impl_->read(row);
}

void Exemplars::for_each(const ExemplarFilter& filter,
                         const std::function<void(const Exemplar&)>& visit) {
  Statement rows(*impl_->connection, fmt::format("SELECT {}{}", kColumns, condition(filter)));
  rows.bind(1, filter.tag);
  while (rows.step()) visit(impl_->read(rows));
}

std::vector<ContentHash> Exemplars::fingerprints() {
  std::vector<ContentHash> all;
  Statement rows(*impl_->connection,
                 "SELECT fingerprint FROM models WHERE id IN (SELECT model FROM exemplars) "
                 "ORDER BY id");
  while (rows.step()) all.push_back(rows.hash(0));
  return all;
}

void Exemplars::for_each_row(const ContentHash& fingerprint, ExemplarId after,
                             const std::function<void(const Row&)>& visit) {
  Statement model(*impl_->connection, "SELECT id, dimension FROM models WHERE fingerprint = ?1");
  model.bind(1, fingerprint);
  if (!model.step()) return;
  const std::int64_t dimension = model.integer(1);
  std::vector<std::uint16_t> halves;
  Statement rows(*impl_->connection,
                 "SELECT e.id, e.source, s.tag, d.difference FROM exemplars e "
                 "JOIN sources s ON s.id = e.source LEFT JOIN differences d ON d.exemplar = e.id "
                 "WHERE e.model = ?1 AND e.id > ?2 ORDER BY e.id");
  rows.bind(1, model.integer(0)).bind(2, after);
  while (rows.step()) {
    const std::string_view bytes = rows.blob(3);
    halves.resize(bytes.size() / sizeof(std::uint16_t));
    if (!bytes.empty())
      std::memcpy(halves.data(), bytes.data(), halves.size() * sizeof(std::uint16_t));
    if (bytes.empty() || bytes.size() % sizeof(std::uint16_t) != 0 ||
        static_cast<std::int64_t>(halves.size()) != dimension ||
        !std::all_of(halves.begin(), halves.end(), store::is_difference)) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("{}: the difference vector of exemplar {} is damaged; run 'exemplars check'",
                      impl_->connection->name(), rows.integer(0)));
    }
    visit({rows.integer(0), rows.integer(1), rows.text(2), halves});
  }
}

std::uint64_t Exemplars::count(const ContentHash& fingerprint, ExemplarId last) {
  Statement row(*impl_->connection,
                "SELECT count(*) FROM exemplars WHERE id <= ?2 AND "
                "model = (SELECT id FROM models WHERE fingerprint = ?1)");
  row.bind(1, fingerprint).bind(2, last);
  row.step();
  return static_cast<std::uint64_t>(row.integer(0));
}

void Exemplars::in_one_state(const std::function<void()>& read) {
  const store::Transaction transaction(*impl_->connection, store::Transaction::Kind::read);
  read();
}

bool Exemplars::has_moved() const { return impl_->connection->has_moved(); }

std::int64_t Exemplars::change_counter() { return store::change_counter(*impl_->connection); }

}  // namespace memmatch
