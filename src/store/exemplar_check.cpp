#include <fmt/format.h>

#include <cstring>

#include "memmatch/error.h"
#include "store/exemplar_impl.h"
#include "store/exemplar_schema.h"

namespace memmatch {

using store::Statement;

namespace {

// A damaged file can have a complaint for every row; nobody reads more than these.
constexpr std::size_t kMostProblems = 100;

struct Rule {
  std::string_view sql;  // gives the ids of rows that break it
  std::string_view complaint;
};

constexpr Rule kRules[] = {
    {"SELECT id FROM exemplars WHERE source NOT IN (SELECT id FROM sources)",
     "exemplar {} belongs to no source"},
    {"SELECT id FROM exemplars WHERE model NOT IN (SELECT id FROM models)",
     "exemplar {} belongs to no model"},
    {"SELECT id FROM exemplars WHERE claim = ''", "exemplar {} has no claim"},
    {"SELECT id FROM exemplars WHERE gold NOT IN (0, 1, 2) OR predicted NOT IN (0, 1, 2) OR "
     "first_gold NOT IN (0, 1, 2)",
     "exemplar {} has no label"},
    {"SELECT e.id FROM exemplars e JOIN models m ON m.id = e.model LEFT JOIN differences d ON "
     "d.exemplar = e.id WHERE d.difference IS NULL OR length(d.difference) <> 2 * m.dimension",
     "the difference vector of exemplar {} is missing or damaged"},
    {"SELECT exemplar FROM differences WHERE exemplar NOT IN (SELECT id FROM exemplars)",
     "there is a difference vector of exemplar {}, which does not exist"},
    {"SELECT DISTINCT exemplar FROM evidence WHERE exemplar NOT IN (SELECT id FROM exemplars)",
     "there is evidence of exemplar {}, which does not exist"},
    {"SELECT id FROM models WHERE length(fingerprint) <> 16 OR dimension < 1",
     "model {} has no fingerprint or no dimension"},
    {"SELECT id FROM sources WHERE done < 0 OR total < 0", "source {} counts below 0"},
    {"SELECT id FROM sources WHERE done > total AND setting <> ''",
     "source {} has been through more claims than it has"},
};

}  // namespace

std::vector<std::string> Exemplars::check() {
  store::Connection& connection = *impl_->connection;
  std::vector<std::string> problems;
  const auto report = [&](std::string problem) {
    if (problems.size() < kMostProblems) problems.push_back(std::move(problem));
  };
  try {
    const store::Transaction transaction(connection, store::Transaction::Kind::read);
    if (std::string difference = schema_difference(connection, store::exemplar_file_kind());
        !difference.empty()) {
      report(std::move(difference));
    }
    Statement structure(connection, fmt::format("PRAGMA integrity_check({})", kMostProblems));
    while (structure.step()) {
      if (structure.text(0) != "ok") report(std::string(structure.text(0)));
    }
    for (const Rule& rule : kRules) {
      Statement rows(connection, fmt::format("{} LIMIT {}", rule.sql, kMostProblems));
      while (rows.step()) report(fmt::format(fmt::runtime(rule.complaint), rows.integer(0)));
    }
    Statement vectors(connection, "SELECT exemplar, difference FROM differences");
    while (vectors.step()) {
      const std::string_view bytes = vectors.blob(1);
      for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes.data() + i, sizeof half);
        if (store::is_difference(half)) continue;
        report(fmt::format("the difference vector of exemplar {} is damaged", vectors.integer(0)));
        break;
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt) throw;
    report(error.what());
  }
  return problems;
}

}  // namespace memmatch
