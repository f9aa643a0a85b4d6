#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/distance.h"

namespace memmatch::search {

// Vectors in memory, as halves, with an exact search that looks at every one. Takes two bytes a
// component. The distances are those of distance(), to the bit.
class HalfMatrix {
 public:
  // Bytes that each row takes in memory.
  static std::uint64_t row_bytes(std::size_t dimension) {
    return dimension * sizeof(std::uint16_t) + sizeof(std::int64_t) + sizeof(float);
  }

  // Forgets all rows, and makes room for so many.
  void clear(std::size_t dimension, std::size_t expected_rows = 0);

  // `halves` has the matrix's dimension.
  void add(std::int64_t id, std::span<const std::uint16_t> halves);

  // The `k` nearest rows of each of the queries, which lie one after the other; of equally near
  // ones those with smaller ids.
  std::vector<std::vector<Ranked>> nearest(std::span<const float> queries, std::size_t k,
                                           int threads) const;

  std::size_t rows() const { return ids_.size(); }
  std::size_t dimension() const { return dimension_; }
  std::size_t bytes() const { return halves_.size() * sizeof(std::uint16_t); }

 private:
  class Scan;

  std::size_t dimension_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<std::uint16_t> halves_;
  std::vector<float> squares_;  // of the rows' lengths
  std::vector<float> floats_;   // of the row that is being added
};

}  // namespace memmatch::search
