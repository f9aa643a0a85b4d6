#pragma once

#include <memory>

#include "memmatch/exemplars.h"
#include "store/sqlite.h"

namespace memmatch {

struct Exemplars::Impl {
  explicit Impl(std::unique_ptr<store::Connection> open) : connection(std::move(open)) {}

  std::vector<GivenEvidence> evidence(ExemplarId id);
  Exemplar read(const store::Statement& row);
  std::optional<ExemplarSource> source(std::string_view tag);

  // These need an open write transaction.
  std::int64_t source_id(std::string_view tag);
  std::int64_t model_id(const ContentHash& fingerprint, std::size_t dimension);
  ExemplarId insert(std::int64_t source, std::int64_t model, const NewExemplar& exemplar);
  void erase(std::string_view which, std::int64_t value);

  std::unique_ptr<store::Connection> connection;
};

}  // namespace memmatch
