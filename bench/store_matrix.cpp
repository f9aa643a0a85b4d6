// Level 1 over the whole datastore, 310 thousand vectors of 1,000 components.

#include "search/store_matrix.h"

#include <limits>

#include "flat_search.h"
#include "memmatch/datastore.h"

namespace memmatch::bench {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr FlatShape kShape{.rows = 310'000, .dimension = 1'000, .nearest = 100};

// Through a datastore file, as in use.
search::StoreMatrix make_matrix(const std::vector<float>& vectors) {
  const Scratch scratch;
  Datastore store = Datastore::open(scratch / "store", Datastore::Access::create);
  Datastore::Import import = store.begin_import();
  for (std::size_t row = 0; row < kShape.rows; ++row) {
    const std::string title = fmt::format("Title {}", row);
    import.add({title, title, { { 0, "A sentence." } }});
  }
  import.commit();
  const VectorSet set = store.make_vector_set({}, static_cast<std::int64_t>(kShape.dimension));
  std::vector<std::uint16_t> halves;
  std::size_t row = 0;
  for (SentenceId last = 0;;) {
    const std::vector<VectorSource> sources = store.without_vector(set, last, 4096);
    if (sources.empty()) break;
    const std::span<const float> floats =
        std::span(vectors).subspan(row * kShape.dimension, sources.size() * kShape.dimension);
    halves.clear();
    for (const float value : floats) halves.push_back(half_from_float(value));
    store.write_vectors(set, sources, halves);
    row += sources.size();
    last = sources.back().id;
  }
  search::StoreMatrix matrix;
  fmt::print("reading the vectors into memory: {:.1f} s\n",
             seconds([&] { matrix.refresh(store, set, kNoLimit); }));
  return matrix;
}

void main_() {
  std::vector<float> vectors = random_vectors(kShape.rows, kShape.dimension, 1);
  const search::StoreMatrix matrix = make_matrix(vectors);
  compare_with_faiss(
      [&](std::span<const float> queries) {
        return matrix.nearest(queries, kShape.nearest, kThreads);
      },
      std::move(vectors), kShape);
}

}  // namespace
}  // namespace memmatch::bench

int main() { memmatch::bench::main_(); }
