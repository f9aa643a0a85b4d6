#pragma once

#include "memmatch/datastore.h"
#include "search/half_matrix.h"

namespace memmatch::search {

// All stored vectors of a model in memory, for level 1 over the whole datastore.
class StoreMatrix {
 public:
  // Reads the vectors again where the file has changed since the last time, unless they would take
  // more than `limit` bytes: then it holds none. Gives the bytes that they take or would take.
  std::uint64_t refresh(Datastore& store, const VectorSet& set, std::uint64_t limit);

  // The `k` nearest sentences of each of the queries, which lie one after the other.
  std::vector<std::vector<Ranked>> nearest(std::span<const float> queries, std::size_t k,
                                           int threads) const {
    return matrix_.nearest(queries, k, threads);
  }

  std::size_t rows() const { return matrix_.rows(); }
  std::size_t bytes() const { return matrix_.bytes(); }

 private:
  std::int64_t version_ = -1;  // of the file, when it was read last
  std::uint64_t bytes_ = 0;    // that its vectors took then
  HalfMatrix matrix_;
};

}  // namespace memmatch::search
