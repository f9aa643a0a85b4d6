#include "search/store_matrix.h"

#include <algorithm>
#include <thread>

#include "base/float16.h"

namespace memmatch::search {
namespace {

// Rows that are converted together and stay in the cache while all queries look at them.
constexpr std::size_t kBlockRows = 64;

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

  const std::vector<Ranked>& entries() const { return heap_; }

 private:
  static bool nearer(const Ranked& a, const Ranked& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
  }

  std::size_t k_;
  std::vector<Ranked> heap_;
};

}  // namespace

void StoreMatrix::refresh(Datastore& store, const VectorSet& set) {
  const std::int64_t version = store.change_counter();
  if (version == version_) return;
  dimension_ = static_cast<std::size_t>(set.dimension);
  ids_.clear();
  halves_.clear();
  store.for_each_vector(set, [&](SentenceId id, std::span<const std::uint16_t> vector) {
    ids_.push_back(id);
    halves_.insert(halves_.end(), vector.begin(), vector.end());
  });
  version_ = version;
}

std::vector<std::vector<Ranked>> StoreMatrix::nearest(std::span<const float> queries, std::size_t k,
                                                      int threads) const {
  const std::size_t count = queries.size() / dimension_;
  const std::size_t blocks = (ids_.size() + kBlockRows - 1) / kBlockRows;
  const auto workers = static_cast<std::size_t>(threads);
  std::vector<std::vector<Nearest>> found(workers, std::vector<Nearest>(count, Nearest(k)));
  const auto scan = [&](std::size_t worker) {
    std::vector<float> block(kBlockRows * dimension_);
    for (std::size_t b = blocks * worker / workers; b < blocks * (worker + 1) / workers; ++b) {
      const std::size_t first = b * kBlockRows;
      const std::size_t rows = std::min(kBlockRows, ids_.size() - first);
      std::transform(halves_.begin() + static_cast<std::ptrdiff_t>(first * dimension_),
                     halves_.begin() + static_cast<std::ptrdiff_t>((first + rows) * dimension_),
                     block.begin(), float_from_half);
      for (std::size_t q = 0; q < count; ++q) {
        const auto query = queries.subspan(q * dimension_, dimension_);
        for (std::size_t row = 0; row < rows; ++row) {
          const auto support = std::span<const float>(block).subspan(row * dimension_, dimension_);
          found[worker][q].offer({ids_[first + row], distance(query, support)});
        }
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t worker = 1; worker < workers; ++worker) others.emplace_back(scan, worker);
  scan(0);
  for (std::thread& other : others) other.join();

  std::vector<std::vector<Ranked>> all(count);
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t worker = 0; worker < workers; ++worker) {
      const std::vector<Ranked>& part = found[worker][q].entries();
      all[q].insert(all[q].end(), part.begin(), part.end());
    }
    keep_nearest(all[q], k);
  }
  return all;
}

}  // namespace memmatch::search
