#include "model/initialize.h"

#include <algorithm>
#include <cmath>

#include "memmatch/error.h"
#include "model/tensor_names.h"

// Compiled without contraction to fused multiply-adds, which round differently
// (src/CMakeLists.txt).

namespace memmatch {
namespace {

// The natural logarithm of 0 < x < 1, from additions, multiplications and divisions alone: the C
// library's differs in the last bit between versions and processors.
double logarithm(double x) {
  constexpr double kLogarithmOf2 = 0.693147180559945309417;
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // x = m 2^exponent, m from [0.5, 1)
  if (m < 0.7071067811865476) {
    m *= 2;
    --exponent;
  }
  const double t = (m - 1) / (m + 1);  // log m = 2 (t + t³/3 + t⁵/5 + …), |t| < 0.172
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * t * t + 1.0 / k;
  return exponent * kLogarithmOf2 + 2 * t * sum;
}

void fill_normal(std::vector<float>& values, std::size_t count, Random& random) {
  values.resize(count);
  for (float& value : values) value = static_cast<float>(random.normal());
}

void fill_uniform(std::vector<float>& values, std::size_t count, double bound, Random& random) {
  values.resize(count);
  for (float& value : values) value = static_cast<float>((2 * random.uniform() - 1) * bound);
}

}  // namespace

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x = 0, y = 0, square = 0;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double scale = std::sqrt(-2 * logarithm(square) / square);
  spare_ = y * scale;
  has_spare_ = true;
  return x * scale;
}

MemoryWeights initialize_memory(const MemoryConfig& memory, const EncoderConfig& encoder,
                                std::uint64_t seed) {
  Random random(seed);
  MemoryWeights weights = shape_weights(memory, encoder);
  for (MemoryLevelWeights& level : weights.levels) {
    LinearWeights& filters = level.filters;
    const double bound = 1 / std::sqrt(static_cast<double>(filters.in));
    fill_normal(level.embeddings,
                static_cast<std::size_t>(memory.vocabulary * memory.word_dimension), random);
    std::fill_n(level.embeddings.begin(), memory.word_dimension, 0.0f);
    fill_uniform(filters.weight, static_cast<std::size_t>(filters.in * filters.out), bound, random);
    fill_uniform(filters.bias, static_cast<std::size_t>(filters.out), bound, random);
  }
  return weights;
}

MemoryLevelWeights match_words(const MemoryVocabulary& vocabulary, const MemoryConfig& memory,
                               const EncoderConfig& encoder, std::int64_t texts,
                               std::uint64_t seed) {
  constexpr double kThreshold = 2;
  constexpr double kUnknownInformation = 2;  // less than a rare piece's: they share one embedding
  if (memory.word_dimension < 2)
    throw Error(ErrorKind::invalid_argument, "matching words takes a word dimension of at least 2");
  Random random(seed);
  MemoryLevelWeights level = std::move(shape_weights(memory, encoder).levels[0]);
  const auto dimension = static_cast<std::size_t>(memory.word_dimension);

  // The first component is the threshold, the others are the piece's own.
  level.embeddings.assign(static_cast<std::size_t>(memory.vocabulary) * dimension, 0);
  for (std::int64_t id = MemoryVocabulary::kUnknown; id < memory.vocabulary; ++id) {
    double information = kUnknownInformation;
    if (id >= MemoryVocabulary::kFirst) {
      const auto entry = static_cast<std::size_t>(id - MemoryVocabulary::kFirst);
      const double share = static_cast<double>(vocabulary.entries[entry].count) /
                           static_cast<double>(std::max<std::int64_t>(1, texts));
      information = share > 0 && share < 1 ? -logarithm(share) : 0;
    }
    const double weight = std::sqrt(information);
    float* row = level.embeddings.data() + static_cast<std::size_t>(id) * dimension;
    row[0] = static_cast<float>(-kThreshold * weight);
    for (std::size_t i = 1; i < dimension; ++i)
      row[i] = static_cast<float>(weight * random.normal());
  }

  const auto in = static_cast<std::size_t>(level.filters.in);
  const double scale = 1 / std::sqrt(static_cast<double>(dimension - 1));
  level.filters.weight.assign(in * static_cast<std::size_t>(level.filters.out), 0);
  level.filters.bias.assign(static_cast<std::size_t>(level.filters.out), 0);
  for (std::size_t filter = 0; filter < static_cast<std::size_t>(level.filters.out); ++filter) {
    float* row = level.filters.weight.data() + filter * in;
    row[0] = 1;
    for (std::size_t i = 1; i < dimension; ++i)
      row[i] = static_cast<float>(scale * random.normal());
  }
  return level;
}

void add_memory(ModelData& model, MemoryConfig memory, MemoryVocabulary vocabulary,
                std::uint64_t seed) {
  memory.vocabulary = vocabulary.size();
  try {
    check_config(memory, model.weights.encoder.config, "memory layers");
  } catch (const Error& error) {
    throw Error(ErrorKind::invalid_argument, error.what());
  }
  model.weights.memory = initialize_memory(memory, model.weights.encoder.config, seed);
  model.memory_vocabulary = std::move(vocabulary);
  model.seed = seed;
}

}  // namespace memmatch
