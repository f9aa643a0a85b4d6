#include "search/half_matrix.h"

#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "engine/single_thread.h"
#include "memmatch/error.h"
#include "search/half_kernels.h"

namespace memmatch::search {
namespace {

// Rows that a worker takes at a time; as floats they stay in its cache.
constexpr std::size_t kBlockRows = 192;

// From so many queries on, a matrix product first tells which rows can be among the nearest.
constexpr std::size_t kQueriesForProduct = 4;

// The nearest so far, in a heap with the farthest on top.
class Nearest {
 public:
  explicit Nearest(std::size_t k) : k_(k) {}

  void offer(const Ranked& entry) {
    if (heap_.size() == k_ && !nearer(entry, heap_.front())) return;
    if (heap_.size() == k_) {
      std::pop_heap(heap_.begin(), heap_.end(), nearer);
      heap_.pop_back();
    }
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), nearer);
  }

  // Nothing farther than this is kept any more.
  double reach() const {
    return heap_.size() == k_ ? heap_.front().distance : std::numeric_limits<double>::infinity();
  }

  const std::vector<Ranked>& entries() const { return heap_; }

 private:
  std::size_t k_;
  std::vector<Ranked> heap_;
};

double square_of(std::span<const float> vector) {
  return std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
}

}  // namespace

// A search, shared by its workers.
//
// With many queries, |q|² + |s|² - 2 q·s, the products being made by oneDNN, says how far a row s
// is from a query q, up to rounding. With n components, the rounding of the products, added in any
// order, is at most n 2⁻²⁴ (|q|² + |s|²); that of distance() itself, with its sixteen lanes, is
// about an eighth of this. slack_ is nearly twice as much as both. Only rows that are nearer than
// the k-th so far, or could be but for the slack, go through the exact distance.
class HalfMatrix::Scan {
 public:
  Scan(const HalfMatrix& matrix, std::span<const float> queries, std::size_t k)
      : matrix_(matrix),
        dimension_(matrix.dimension_),
        queries_(queries),
        count_(queries.size() / dimension_),
        k_(k),
        slack_(2 * static_cast<double>(dimension_ + 64) * 0x1p-24) {
    for (const float value : queries) shifted_.push_back(value + kDistanceEpsilon);
    for (std::size_t q = 0; q < count_; ++q) {
      query_squares_.push_back(square_of(std::span(shifted_).subspan(q * dimension_, dimension_)));
    }
  }

  // The nearest of each query among the rows that this worker got hold of.
  std::vector<Nearest> work() {
    const engine::SingleThread single_thread;
    std::vector<Nearest> found(count_, Nearest(k_));
    std::vector<float> floats(count_ < kQueriesForProduct ? 0 : kBlockRows * dimension_);
    std::vector<float> products(count_ < kQueriesForProduct ? 0 : kBlockRows * count_);
    while (true) {
      const std::size_t first = next_.fetch_add(kBlockRows);
      if (first >= matrix_.rows()) return found;
      const std::size_t rows = std::min(kBlockRows, matrix_.rows() - first);
      if (count_ < kQueriesForProduct) {
        for (std::size_t row = first; row < first + rows; ++row)
          for (std::size_t q = 0; q < count_; ++q) offer(found[q], q, row);
      } else {
        multiply(first, rows, floats, products);
        for (std::size_t q = 0; q < count_; ++q)
          sift(found[q], q, first, std::span(products).subspan(q * rows, rows));
      }
    }
  }

 private:
  std::span<const float> query(std::size_t q) const {
    return queries_.subspan(q * dimension_, dimension_);
  }

  void offer(Nearest& nearest, std::size_t q, std::size_t row) const {
    const auto support = std::span(matrix_.halves_).subspan(row * dimension_, dimension_);
    nearest.offer({matrix_.ids_[row], kernels_.distance(query(q), support)});
  }

  // products[q][row] = -2 q·s
  void multiply(std::size_t first, std::size_t rows, std::vector<float>& floats,
                std::vector<float>& products) const {
    kernels_.floats(std::span(matrix_.halves_).subspan(first * dimension_, rows * dimension_),
                    floats.data());
    const auto m = static_cast<dnnl_dim_t>(count_);
    const auto n = static_cast<dnnl_dim_t>(rows);
    const auto k = static_cast<dnnl_dim_t>(dimension_);
    const dnnl_status_t status = dnnl_sgemm('N', 'T', m, n, k, -2, shifted_.data(), k,
                                            floats.data(), k, 0, products.data(), n);
    if (status != dnnl_success)
      throw Error(ErrorKind::unsupported, "oneDNN cannot multiply matrices on this machine");
  }

  void sift(Nearest& nearest, std::size_t q, std::size_t first,
            std::span<const float> products) const {
    const std::span<const float> squares = std::span(matrix_.squares_).subspan(first);
    for (std::size_t row = 0; row < products.size(); ++row) {
      const double sum = query_squares_[q] + static_cast<double>(squares[row]);
      const double reach = nearest.reach();
      // Not `<=`: where numbers have become infinite, the exact distance decides.
      if (sum + static_cast<double>(products[row]) - slack_ * sum > reach * reach) continue;
      offer(nearest, q, first + row);
    }
  }

  const HalfMatrix& matrix_;
  const HalfKernels& kernels_ = half_kernels().front();
  std::size_t dimension_;
  std::span<const float> queries_;
  std::size_t count_;
  std::size_t k_;
  double slack_;
  std::vector<float> shifted_;  // the queries with what distance() adds to them
  std::vector<double> query_squares_;
  std::atomic<std::size_t> next_{0};  // the first row that nobody has taken
};

void HalfMatrix::clear(std::size_t dimension, std::size_t expected_rows) {
  dimension_ = dimension;
  ids_.clear();
  halves_.clear();
  squares_.clear();
  floats_.resize(dimension);
  ids_.reserve(expected_rows);
  halves_.reserve(expected_rows * dimension);
  squares_.reserve(expected_rows);
}

void HalfMatrix::add(std::int64_t id, std::span<const std::uint16_t> halves) {
  ids_.push_back(id);
  halves_.insert(halves_.end(), halves.begin(), halves.end());
  half_kernels().front().floats(halves, floats_.data());
  squares_.push_back(static_cast<float>(square_of(floats_)));
}

std::vector<std::vector<Ranked>> HalfMatrix::nearest(std::span<const float> queries, std::size_t k,
                                                     int threads) const {
  Scan scan(*this, queries, k);
  std::vector<std::vector<Nearest>> found(static_cast<std::size_t>(threads));
  in_parallel(found.size(), [&](std::size_t worker) { found[worker] = scan.work(); });

  std::vector<std::vector<Ranked>> all(queries.size() / dimension_);
  for (std::size_t q = 0; q < all.size(); ++q) {
    for (const std::vector<Nearest>& part : found) {
      all[q].insert(all[q].end(), part[q].entries().begin(), part[q].entries().end());
    }
    keep_nearest(all[q], k);
  }
  return all;
}

}  // namespace memmatch::search
