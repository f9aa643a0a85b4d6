#pragma once

#include <omp.h>

#include <functional>
#include <vector>

#ifdef MEMMATCH_FAISS
#include <faiss/IndexFlat.h>
#endif

#include "base/float16.h"
#include "search/distance.h"
#include "support.h"

// Exact search over all vectors of a file, against the same search by FAISS. Both take turns in one
// run with two threads; the best of several turns counts.

namespace memmatch::bench {

inline constexpr int kThreads = 2;
inline constexpr int kRounds = 7;

// As memory vectors are: a bias, and above it what is positive. They are halves.
inline std::vector<float> random_vectors(std::size_t count, std::size_t dimension,
                                         std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> values(count * dimension);
  for (float& value : values) {
    // Four 16-bit numbers make one that is nearly normally distributed.
    const std::uint64_t bits = random();
    const std::uint64_t sum =
        (bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + (bits >> 48);
    value = std::max(0.0F, static_cast<float>(sum) / 65536 - 1.5F);
    value = float_from_half(half_from_float(value));
  }
  return values;
}

// The rows nearest to each of the queries; ids are the rows' numbers from 1.
using FlatSearch =
    std::function<std::vector<std::vector<search::Ranked>>(std::span<const float> queries)>;

struct FlatShape {
  std::size_t rows = 0;
  std::size_t dimension = 0;
  std::size_t nearest = 0;
};

#ifdef MEMMATCH_FAISS

// How many of the places that both found are the same.
inline double agreement(const std::vector<std::vector<search::Ranked>>& ours,
                        const std::vector<faiss::Index::idx_t>& theirs, std::size_t nearest) {
  std::size_t same = 0;
  for (std::size_t q = 0; q < ours.size(); ++q) {
    for (std::size_t i = 0; i < nearest; ++i)
      same += ours[q][i].id == theirs[q * nearest + i] + 1 ? 1 : 0;
  }
  return static_cast<double>(same) / static_cast<double>(theirs.size());
}

inline void compare(const FlatSearch& search, const faiss::IndexFlatL2& index,
                    const FlatShape& shape, std::size_t count, double target) {
  const std::vector<float> queries = random_vectors(count, shape.dimension, 2);
  std::vector<float> distances(count * shape.nearest);
  std::vector<faiss::Index::idx_t> labels(count * shape.nearest);
  std::vector<std::vector<search::Ranked>> found;
  Best ours, one, two;
  for (int round = 0; round < kRounds; ++round) {
    ours.add(seconds([&] { found = search(queries); }));
    for (const int threads : {1, 2}) {
      omp_set_num_threads(threads);
      (threads == 1 ? one : two).add(seconds([&] {
        index.search(static_cast<faiss::Index::idx_t>(count), queries.data(),
                     static_cast<faiss::Index::idx_t>(shape.nearest), distances.data(),
                     labels.data());
      }));
    }
  }
  const double theirs = std::min(one.value, two.value);
  const double ratio = theirs / ours.value;
  fmt::print(
      "{:>2} queries: {:.1f} ms, FAISS {:.1f} ms ({:.1f} and {:.1f} with one and two OpenMP "
      "threads), {:.2f} % of the places alike: {:.2f} times faster (at least {:.1f}: {})\n",
      count, 1e3 * ours.value, 1e3 * theirs, 1e3 * one.value, 1e3 * two.value,
      100 * agreement(found, labels, shape.nearest), ratio, target,
      ratio >= target ? "holds" : "DOES NOT HOLD");
}

// One query and 64, for which 3 times and once FAISS's speed are to hold. Takes the vectors.
inline void compare_with_faiss(const FlatSearch& search, std::vector<float> vectors,
                               const FlatShape& shape) {
  faiss::IndexFlatL2 index(static_cast<faiss::Index::idx_t>(shape.dimension));
  index.add(static_cast<faiss::Index::idx_t>(shape.rows), vectors.data());
  vectors = {};
  compare(search, index, shape, 1, 3.0);
  compare(search, index, shape, 64, 1.0);
}

#else

inline void compare_with_faiss(const FlatSearch& search, std::vector<float> vectors,
                               const FlatShape& shape) {
  vectors = {};
  for (const std::size_t count : {1U, 64U}) {
    const std::vector<float> queries = random_vectors(count, shape.dimension, 2);
    Best best;
    for (int round = 0; round < kRounds; ++round) best.add(seconds([&] { search(queries); }));
    fmt::print("{:>2} queries: {:.1f} ms; no comparison, FAISS (libfaiss-dev) is not there\n",
               count, 1e3 * best.value);
  }
}

#endif

}  // namespace memmatch::bench
