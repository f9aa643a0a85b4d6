#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memmatch/datastore.h"
#include "search/distance.h"

namespace memmatch::search {

// All stored vectors of a model in memory, for level 1 over the whole datastore: exact, by looking
// at every one. Takes two bytes a component, which is announced by bytes(). The distances are those
// of distance(), to the bit.
class StoreMatrix {
 public:
  // Reads the vectors again where the file has changed since the last time.
  void refresh(Datastore& store, const VectorSet& set);

  // The `k` nearest sentences of each of the queries, which lie one after the other.
  std::vector<std::vector<Ranked>> nearest(std::span<const float> queries, std::size_t k,
                                           int threads) const;

  std::size_t rows() const { return ids_.size(); }
  std::size_t bytes() const { return halves_.size() * sizeof(std::uint16_t); }

 private:
  class Scan;

  std::int64_t version_ = -1;
  std::size_t dimension_ = 0;
  std::vector<SentenceId> ids_;
  std::vector<std::uint16_t> halves_;
  std::vector<float> squares_;  // of the rows' lengths
};

}  // namespace memmatch::search
