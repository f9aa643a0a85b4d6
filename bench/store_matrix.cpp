// Level 1 over the whole datastore, 310 thousand vectors of 1,000 components, against the same
// search by FAISS. Both take turns in one run with two threads; the best of several turns counts.

#include <optional>
#include <vector>

#ifdef MEMMATCH_FAISS
#include <faiss/IndexFlat.h>
#endif
#include <omp.h>

#include "base/float16.h"
#include "memmatch/datastore.h"
#include "search/store_matrix.h"
#include "support.h"

namespace memmatch::bench {
namespace {

constexpr std::size_t kRows = 310'000;
constexpr std::size_t kDimension = 1'000;
constexpr std::size_t kNearest = 100;
constexpr int kThreads = 2;
constexpr int kRounds = 7;

// As memory vectors are: a bias, and above it what is positive.
std::vector<float> random_vectors(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> values(count * kDimension);
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

// Through a datastore file, as in use.
search::StoreMatrix make_matrix(const std::vector<float>& vectors) {
  const Scratch scratch;
  Datastore store = Datastore::open(scratch / "store", Datastore::Access::create);
  Datastore::Import import = store.begin_import();
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::string title = fmt::format("Title {}", row);
    import.add({title, title, { { 0, "A sentence." } }});
  }
  import.commit();
  const VectorSet set = store.make_vector_set({}, kDimension);
  std::vector<std::uint16_t> halves;
  std::size_t row = 0;
  for (SentenceId last = 0;;) {
    const std::vector<VectorSource> sources = store.without_vector(set, last, 4096);
    if (sources.empty()) break;
    const std::span<const float> floats =
        std::span(vectors).subspan(row * kDimension, sources.size() * kDimension);
    halves.clear();
    for (const float value : floats) halves.push_back(half_from_float(value));
    store.write_vectors(set, sources, halves);
    row += sources.size();
    last = sources.back().id;
  }
  search::StoreMatrix matrix;
  fmt::print("reading the vectors into memory: {:.1f} s\n",
             seconds([&] { matrix.refresh(store, set); }));
  return matrix;
}

#ifdef MEMMATCH_FAISS

// How many of the rows that both found are the same.
double agreement(const std::vector<std::vector<search::Ranked>>& ours,
                 const std::vector<faiss::Index::idx_t>& theirs) {
  std::size_t same = 0;
  for (std::size_t q = 0; q < ours.size(); ++q) {
    for (std::size_t i = 0; i < kNearest; ++i)
      same += ours[q][i].id == theirs[q * kNearest + i] + 1 ? 1 : 0;
  }
  return static_cast<double>(same) / static_cast<double>(theirs.size());
}

void compare(const search::StoreMatrix& matrix, const faiss::IndexFlatL2& index, std::size_t count,
             double target) {
  const std::vector<float> queries = random_vectors(count, 2);
  std::vector<float> distances(count * kNearest);
  std::vector<faiss::Index::idx_t> labels(count * kNearest);
  std::vector<std::vector<search::Ranked>> found;
  Best ours, one, two;
  for (int round = 0; round < kRounds; ++round) {
    ours.add(seconds([&] { found = matrix.nearest(queries, kNearest, kThreads); }));
    for (const int threads : {1, 2}) {
      omp_set_num_threads(threads);
      (threads == 1 ? one : two).add(seconds([&] {
        index.search(static_cast<faiss::Index::idx_t>(count), queries.data(), kNearest,
                     distances.data(), labels.data());
      }));
    }
  }
  const double theirs = std::min(one.value, two.value);
  const double ratio = theirs / ours.value;
  fmt::print(
      "{:>2} queries: {:.1f} ms, FAISS {:.1f} ms ({:.1f} and {:.1f} with one and two OpenMP "
      "threads), {:.2f} % of the places alike: {:.2f} times faster (at least {:.1f}: {})\n",
      count, 1e3 * ours.value, 1e3 * theirs, 1e3 * one.value, 1e3 * two.value,
      100 * agreement(found, labels), ratio, target, ratio >= target ? "holds" : "DOES NOT HOLD");
}

void main_() {
  std::vector<float> vectors = random_vectors(kRows, 1);
  const search::StoreMatrix matrix = make_matrix(vectors);
  faiss::IndexFlatL2 index(kDimension);
  index.add(kRows, vectors.data());
  vectors = {};
  compare(matrix, index, 1, 3.0);
  compare(matrix, index, 64, 1.0);
}

#else

void main_() {
  const search::StoreMatrix matrix = make_matrix(random_vectors(kRows, 1));
  for (const std::size_t count : {1U, 64U}) {
    const std::vector<float> queries = random_vectors(count, 2);
    Best best;
    for (int round = 0; round < kRounds; ++round)
      best.add(seconds([&] { matrix.nearest(queries, kNearest, kThreads); }));
    fmt::print("{:>2} queries: {:.1f} ms; no comparison, FAISS (libfaiss-dev) is not there\n",
               count, 1e3 * best.value);
  }
}

#endif

}  // namespace
}  // namespace memmatch::bench

int main() { memmatch::bench::main_(); }
