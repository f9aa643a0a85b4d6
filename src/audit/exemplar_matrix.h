#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memmatch/exemplars.h"
#include "search/half_matrix.h"

namespace memmatch::audit {

// The difference vectors of all exemplars of a model in memory, by source.
class ExemplarMatrix {
 public:
  explicit ExemplarMatrix(const ContentHash& fingerprint) : fingerprint_(fingerprint) {}

  // Follows the file. What was added since the last time is read; after a removal, everything.
  void refresh(Exemplars& exemplars);

  // The `k` nearest exemplars of each of the queries, which lie one after the other: of all
  // sources, or of the one with this tag. Of equally near ones the newer come first, so that a
  // correction stands before what it corrects.
  std::vector<std::vector<search::Ranked>> nearest(std::span<const float> queries, std::size_t k,
                                                   int threads, std::string_view tag = {}) const;

  bool has(std::string_view tag) const;
  std::size_t rows() const { return rows_; }
  std::size_t dimension() const { return dimension_; }

 private:
  struct Source {
    std::int64_t id = 0;
    std::string tag;
    search::HalfMatrix matrix;
  };

  void add(const Exemplars::Row& row);

  ContentHash fingerprint_;
  std::int64_t version_ = -1;
  ExemplarId last_ = 0;
  std::size_t rows_ = 0;
  std::size_t dimension_ = 0;
  std::vector<Source> sources_;
};

}  // namespace memmatch::audit
