#include <fmt/format.h>

#include <cmath>

#include "bindings.h"
#include "guarded.h"
#include "search/distance.h"
#include "search/rerank.h"
#include "session.h"

namespace memmatch::python {
namespace {

// Between so many sequences, Ctrl-C ends it.
constexpr std::size_t kSequencesAtOnce = 64;

template <typename Number>
struct Matrix {
  std::vector<Number> values;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

// The array that these numbers are the memory of.
template <typename Number>
py::array to_numpy(Matrix<Number>&& matrix) {
  auto kept = std::make_unique<Matrix<Number>>(std::move(matrix));
  const py::capsule owner(kept.get(),
                          [](void* memory) { delete static_cast<Matrix<Number>*>(memory); });
  const Matrix<Number>& numbers = *kept.release();
  return py::array_t<Number>({numbers.rows, numbers.columns}, numbers.values.data(), owner);
}

// "mean", or a level's memory layer.
int level_of(const std::string& pooling) {
  for (int level = 1; level <= 3; ++level)
    if (pooling == fmt::format("level{}", level)) return level;
  if (pooling == "mean") return 0;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("pooling '{}' is none of mean, level1, level2, level3", pooling));
}

void check_role(const std::string& role) {
  if (role == "query" || role == "support") return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("role '{}' is none of query, support", role));
}

void normalize(std::span<float> vector) {
  double square = 0;
  for (const float value : vector) square += static_cast<double>(value) * value;
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  for (float& value : vector) value = static_cast<float>(value * scale);
}

// As `memmatch embed` has it.
Matrix<float> embed(search::Network& network, const std::vector<std::string>& texts, int level,
                    bool query, bool normalized) {
  const SequenceWriter& writer = network.writer();
  const std::size_t width = level == 0 ? network.mean_dimension() : network.dimension();
  Matrix<float> matrix{{}, texts.size(), width};
  matrix.values.reserve(texts.size() * width);
  for (std::size_t begin = 0; begin < texts.size(); begin += kSequencesAtOnce) {
    check_signals();
    search::Batch batch;
    for (std::size_t i = begin; i < std::min(texts.size(), begin + kSequencesAtOnce); ++i) {
      batch.add(level == 0 ? writer.plain(texts[i], writer.longest())
                : query    ? writer.query(level, texts[i])
                           : writer.support(level, texts[i]));
    }
    const search::Vectors some =
        level == 0 ? network.encode_mean(batch) : network.encode(batch, level);
    matrix.values.insert(matrix.values.end(), some.values().begin(), some.values().end());
  }
  for (std::size_t row = 0; normalized && row < matrix.rows; ++row)
    normalize(std::span(matrix.values).subspan(row * width, width));
  return matrix;
}

std::vector<search::Ranked> rerank(search::Network& network, const std::string& query,
                                   std::span<const GivenDocument> documents, std::size_t top) {
  search::Reranker reranker(network, query);
  for (std::size_t begin = 0; begin < documents.size(); begin += kSequencesAtOnce) {
    check_signals();
    reranker.add(documents.subspan(begin, std::min(kSequencesAtOnce, documents.size() - begin)));
  }
  return reranker.nearest(top);
}

// The rows of an array of NumPy's, as they lie there.
struct Rows {
  const float* values;
  std::size_t count;
  std::size_t width;
  std::span<const float> operator[](std::size_t row) const { return {values + row * width, width}; }
};

Rows rows_of(const py::array_t<float>& array, const char* name) {
  if (array.ndim() != 2 || (array.flags() & py::array::c_style) == 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} must be an array of rows without gaps, as embed() gives it; try "
                            "numpy.ascontiguousarray",
                            name));
  }
  const Rows rows{array.data(), static_cast<std::size_t>(array.shape(0)),
                  static_cast<std::size_t>(array.shape(1))};
  for (std::size_t i = 0; i < rows.count; ++i) {
    for (const float value : rows[i]) {
      if (std::isfinite(value)) continue;
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("{}: row {} has a number that is not finite", name, i));
    }
  }
  return rows;
}

// The paper's distance of each query (a row) to each support (a column).
Matrix<double> distances(const Rows& queries, const Rows& supports) {
  if (queries.width != supports.width) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("queries have {} numbers each and supports {}: they are not of one "
                            "model and level",
                            queries.width, supports.width));
  }
  Matrix<double> matrix{{}, queries.count, supports.count};
  matrix.values.reserve(queries.count * supports.count);
  for (std::size_t query = 0; query < queries.count; ++query) {
    check_signals();
    for (std::size_t support = 0; support < supports.count; ++support)
      matrix.values.push_back(search::distance(queries[query], supports[support]));
  }
  return matrix;
}

}  // namespace

void bind_vectors(py::module_& module) {
  using Owner = Guarded<Session>;
  module.def("embed", [](Owner& self, const std::vector<std::string>& texts,
                         const std::string& pooling, const std::string& role, bool normalized) {
    const int level = level_of(pooling);
    check_role(role);
    return to_numpy(self.use([&](Session& one) {
      return embed(one.verifier().network(), texts, level, role == "query", normalized);
    }));
  });
  module.def("rerank", [](Owner& self, const std::string& query,
                          const std::vector<GivenDocument>& documents, std::size_t top) {
    std::vector<std::pair<std::int64_t, double>> ranked;
    const auto nearest = self.use(
        [&](Session& one) { return rerank(one.verifier().network(), query, documents, top); });
    for (const search::Ranked& entry : nearest)
      ranked.emplace_back(entry.id, search::relevance(entry.distance));
    return ranked;
  });
  module.def(
      "distances",
      [](const py::array_t<float>& queries, const py::array_t<float>& supports) {
        return to_numpy([&] {
          const py::gil_scoped_release released;
          return distances(rows_of(queries, "queries"), rows_of(supports, "supports"));
        }());
      },
      py::arg("queries").noconvert(), py::arg("supports").noconvert());
}

}  // namespace memmatch::python
