// The nearest of 142 thousand exemplars, the size of the paper's database: difference vectors of
// 2,000 components.

#include "memmatch/exemplars.h"
#include "audit/exemplar_matrix.h"
#include "flat_search.h"

namespace memmatch::bench {
namespace {

constexpr FlatShape kShape{.rows = 142'420, .dimension = 2'000, .nearest = 10};
constexpr std::size_t kRowsTogether = 1024;

// Through a database file, as in use.
audit::ExemplarMatrix make_matrix(const std::vector<float>& vectors) {
  const Scratch scratch;
  Exemplars exemplars = Exemplars::open(scratch / "exemplars", Exemplars::Access::create);
  exemplars.begin_build("bench", "bench", kShape.rows);
  std::vector<NewExemplar> some;
  const double writing = seconds([&] {
    for (std::size_t row = 0; row < kShape.rows; row += some.size()) {
      some.clear();
      for (std::size_t i = row; i < std::min(row + kRowsTogether, kShape.rows); ++i) {
        const auto difference = std::span(vectors).subspan(i * kShape.dimension, kShape.dimension);
        some.push_back({.claim = "A claim of usual length about somebody.",
                        .evidence = {{"Title", "Title", 0, "A sentence of usual length."}},
                        .gold = Label::supports,
                        .predicted = Label::supports,
                        .difference = {difference.begin(), difference.end()}});
      }
      exemplars.append("bench", {}, some, row, some.size());
    }
  });
  audit::ExemplarMatrix matrix{ContentHash{}};
  const double reading = seconds([&] { matrix.refresh(exemplars); });
  exemplars.relabel(1, Label::refutes);
  const double again = seconds([&] { matrix.refresh(exemplars); });
  fmt::print(
      "writing {} exemplars: {:.1f} s; reading them into memory: {:.2f} s, again after one "
      "was re-labelled: {:.4f} s; the file has {} MB\n",
      kShape.rows, writing, reading, again,
      std::filesystem::file_size(scratch / "exemplars") >> 20);
  return matrix;
}

void main_() {
  std::vector<float> vectors = random_vectors(kShape.rows, kShape.dimension, 1);
  const audit::ExemplarMatrix matrix = make_matrix(vectors);
  compare_with_faiss(
      [&](std::span<const float> queries) {
        return matrix.nearest(queries, kShape.nearest, kThreads);
      },
      std::move(vectors), kShape);
}

}  // namespace
}  // namespace memmatch::bench

int main() { memmatch::bench::main_(); }
