#include "audit/exemplar_matrix.h"

#include <algorithm>

namespace memmatch::audit {

void ExemplarMatrix::add(const Exemplars::Row& row) {
  auto source = std::find_if(sources_.begin(), sources_.end(),
                             [&](const Source& known) { return known.id == row.source; });
  if (source == sources_.end()) {
    source = sources_.insert(source, {row.source, std::string(row.tag), {}});
    source->matrix.clear(row.difference.size());
  }
  // Equally near rows come in the order of their numbers here: the newest has the smallest.
  source->matrix.add(-row.id, row.difference);
  dimension_ = row.difference.size();
  last_ = row.id;
  ++rows_;
}

// Exemplars come and go, but their difference vectors never change and ids are never used again:
// the rows that were read are still the file's if it has as many with ids up to the last of them.
void ExemplarMatrix::refresh(Exemplars& exemplars) {
  const std::int64_t version = exemplars.change_counter();
  if (version == version_) return;
  if (exemplars.count(fingerprint_, last_) != rows_) {
    sources_.clear();
    rows_ = 0;
    last_ = 0;
  }
  exemplars.for_each_row(fingerprint_, last_, [&](const Exemplars::Row& row) { add(row); });
  version_ = version;
}

bool ExemplarMatrix::has(std::string_view tag) const {
  return std::any_of(sources_.begin(), sources_.end(),
                     [&](const Source& source) { return source.tag == tag; });
}

std::vector<std::vector<search::Ranked>> ExemplarMatrix::nearest(std::span<const float> queries,
                                                                 std::size_t k, int threads,
                                                                 std::string_view tag) const {
  std::vector<std::vector<search::Ranked>> all(dimension_ == 0 ? 0 : queries.size() / dimension_);
  for (const Source& source : sources_) {
    if (!tag.empty() && source.tag != tag) continue;
    const auto found = source.matrix.nearest(queries, k, threads);
    for (std::size_t q = 0; q < all.size(); ++q)
      all[q].insert(all[q].end(), found[q].begin(), found[q].end());
  }
  for (std::vector<search::Ranked>& ranked : all) {
    search::keep_nearest(ranked, k);
    for (search::Ranked& entry : ranked) entry.id = -entry.id;
  }
  return all;
}

}  // namespace memmatch::audit
