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
