#include <fmt/format.h>

#include "base/float16.h"
#include "memmatch/error.h"
#include "store/exemplar_impl.h"

namespace memmatch {

using store::Statement;
using store::Transaction;

namespace {

[[noreturn]] void fail(ErrorKind kind, const store::Connection& connection,
                       std::string_view message) {
  throw Error(kind, fmt::format("{}: {}", connection.name(), message));
}

std::vector<std::uint16_t> halves_of(std::span<const float> values) {
  constexpr float kLargestHalf = 65504;
  std::vector<std::uint16_t> halves;
  halves.reserve(values.size());
  for (const float value : values) {
    // Not `>`: what is no number is refused too.
    if (!(value >= 0 && value <= kLargestHalf)) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("a difference vector holds {}; its components are from 0 to {}",
                              value, kLargestHalf));
    }
    halves.push_back(half_from_float(value));
  }
  return halves;
}

void check_tag(std::string_view tag) {
  if (tag.empty()) throw Error(ErrorKind::invalid_argument, "the tag of a source is empty");
}

}  // namespace

std::int64_t Exemplars::Impl::source_id(std::string_view tag) {
  Statement row(*connection, "SELECT id FROM sources WHERE tag = ?1");
  row.bind(1, tag);
  if (row.step()) return row.integer(0);
  fail(ErrorKind::not_found, *connection,
       fmt::format("there are no exemplars of the tag '{}'; 'memmatch exemplars list --sources' "
                   "shows the tags",
                   tag));
}

std::int64_t Exemplars::Impl::model_id(const ContentHash& fingerprint, std::size_t dimension) {
  if (dimension == 0)
    throw Error(ErrorKind::invalid_argument, "an exemplar needs a difference vector");
  Statement insert(*connection,
                   "INSERT OR IGNORE INTO models (fingerprint, dimension) VALUES (?1, ?2)");
  insert.bind(1, fingerprint).bind(2, static_cast<std::int64_t>(dimension)).run();
  Statement row(*connection, "SELECT id, dimension FROM models WHERE fingerprint = ?1");
  row.bind(1, fingerprint);
  if (!row.step() || row.integer(1) != static_cast<std::int64_t>(dimension)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a difference vector has {} components; the model's others have {}",
                            dimension, row.integer(1)));
  }
  return row.integer(0);
}

ExemplarId Exemplars::Impl::insert(std::int64_t source, std::int64_t model,
                                   const NewExemplar& exemplar) {
  if (exemplar.claim.empty()) throw Error(ErrorKind::invalid_argument, "the claim is empty");
  const std::vector<std::uint16_t> halves = halves_of(exemplar.difference);
  Statement row(*connection,
                "INSERT INTO exemplars (source, model, claim, gold, predicted, first_gold) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?4)");
  row.bind(1, source)
      .bind(2, model)
      .bind(3, exemplar.claim)
      .bind(4, static_cast<std::int64_t>(exemplar.gold))
      .bind(5, static_cast<std::int64_t>(exemplar.predicted))
      .run();
  const ExemplarId id = connection->last_insert_id();
  Statement difference(*connection,
                       "INSERT INTO differences (exemplar, difference) VALUES (?1, ?2)");
  const auto* bytes = reinterpret_cast<const char*>(halves.data());
  difference.bind(1, id).bind_blob(2, {bytes, halves.size() * sizeof(std::uint16_t)}).run();
  Statement sentence(*connection,
                     "INSERT INTO evidence (exemplar, rank, raw_title, title, number, text) "
                     "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  std::int64_t rank = 0;
  for (const GivenEvidence& evidence : exemplar.evidence) {
    sentence.bind(1, id)
        .bind(2, rank++)
        .bind(3, evidence.raw_title)
        .bind(4, evidence.title)
        .bind(5, std::int64_t{evidence.number})
        .bind(6, evidence.text)
        .run();
  }
  return id;
}

ExemplarId Exemplars::add(std::string_view tag, const ContentHash& fingerprint,
                          const NewExemplar& exemplar) {
  check_tag(tag);
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  Statement source(*impl_->connection,
                   "INSERT OR IGNORE INTO sources (tag, setting, done, total) "
                   "VALUES (?1, '', 0, 0)");
  source.bind(1, tag).run();
  const ExemplarId id = impl_->insert(
      impl_->source_id(tag), impl_->model_id(fingerprint, exemplar.difference.size()), exemplar);
  transaction.commit();
  return id;
}

ExemplarSource Exemplars::begin_build(std::string_view tag, std::string_view setting,
                                      std::uint64_t total) {
  check_tag(tag);
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  std::optional<ExemplarSource> source = impl_->source(tag);
  if (source && source->setting != setting) {
    fail(ErrorKind::conflict, *impl_->connection,
         fmt::format("the tag '{}' is taken by exemplars from elsewhere; choose another one, or "
                     "remove them first: memmatch exemplars remove --tag '{}'",
                     tag, tag));
  }
  if (!source) {
    Statement insert(*impl_->connection,
                     "INSERT INTO sources (tag, setting, done, total) VALUES (?1, ?2, 0, ?3)");
    insert.bind(1, tag).bind(2, setting).bind(3, static_cast<std::int64_t>(total)).run();
    source =
        ExemplarSource{.tag = std::string(tag), .setting = std::string(setting), .total = total};
  }
  transaction.commit();
  return *std::move(source);
}

void Exemplars::append(std::string_view tag, const ContentHash& fingerprint,
                       std::span<const NewExemplar> exemplars, std::uint64_t done,
                       std::uint64_t claims) {
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  Statement update(*impl_->connection,
                   "UPDATE sources SET done = done + ?3 WHERE tag = ?1 AND done = ?2");
  update.bind(1, tag)
      .bind(2, static_cast<std::int64_t>(done))
      .bind(3, static_cast<std::int64_t>(claims))
      .run();
  if (impl_->connection->changes() != 1) {
    fail(ErrorKind::conflict, *impl_->connection,
         fmt::format("somebody else builds or has removed the exemplars of '{}'", tag));
  }
  const std::int64_t source = impl_->source_id(tag);
  for (const NewExemplar& exemplar : exemplars) {
    impl_->insert(source, impl_->model_id(fingerprint, exemplar.difference.size()), exemplar);
  }
  transaction.commit();
}

Exemplar Exemplars::relabel(ExemplarId id, Label gold) {
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  Exemplar old = exemplar(id);
  Statement update(*impl_->connection, "UPDATE exemplars SET gold = ?2 WHERE id = ?1");
  update.bind(1, id).bind(2, static_cast<std::int64_t>(gold)).run();
  transaction.commit();
  old.gold = gold;
  return old;
}

// `which` are the exemplars' ids, as SQL with the parameter ?1.
void Exemplars::Impl::erase(std::string_view which, std::int64_t value) {
  for (const std::string_view table : {"evidence", "differences"}) {
    Statement parts(*connection,
                    fmt::format("DELETE FROM {} WHERE exemplar IN ({})", table, which));
    parts.bind(1, value).run();
  }
  Statement rows(*connection, fmt::format("DELETE FROM exemplars WHERE id IN ({})", which));
  rows.bind(1, value).run();
}

Exemplar Exemplars::remove(ExemplarId id) {
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  Exemplar old = exemplar(id);
  impl_->erase("?1", id);
  transaction.commit();
  return old;
}

std::uint64_t Exemplars::remove_source(std::string_view tag) {
  Transaction transaction(*impl_->connection, Transaction::Kind::write);
  const std::int64_t source = impl_->source_id(tag);
  impl_->erase("SELECT id FROM exemplars WHERE source = ?1", source);
  const std::int64_t gone = impl_->connection->changes();
  Statement row(*impl_->connection, "DELETE FROM sources WHERE id = ?1");
  row.bind(1, source).run();
  transaction.commit();
  return static_cast<std::uint64_t>(gone);
}

}  // namespace memmatch
