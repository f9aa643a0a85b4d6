#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "model/initialize.h"
#include "model/weights.h"

namespace memmatch::test {

inline std::vector<float> random_values(Random& random, std::int64_t count, double spread,
                                        double mean = 0.0) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values) v = static_cast<float>(mean + spread * random.normal());
  return values;
}

inline LinearWeights random_linear(Random& random, std::int64_t in, std::int64_t out) {
  const double spread = 1.0 / std::sqrt(static_cast<double>(in));
  return {in, out, random_values(random, in * out, spread), random_values(random, out, 0.1)};
}

inline LayerNormWeights random_norm(Random& random, std::int64_t size) {
  return {random_values(random, size, 0.1, 1.0), random_values(random, size, 0.1)};
}

// A model with memory layers whose activations are about as large as those of a trained one.
inline ModelWeights random_model(const EncoderConfig& config, const MemoryConfig& memory,
                                 std::uint64_t seed) {
  Random random(seed);
  ModelWeights model;
  EncoderWeights& encoder = model.encoder;
  encoder.config = config;
  encoder.word_embeddings = random_values(random, config.vocabulary * config.hidden, 1.0);
  encoder.position_embeddings = random_values(random, config.positions * config.hidden, 0.3);
  encoder.type_embeddings = random_values(random, config.token_types * config.hidden, 0.3);
  encoder.embedding_norm = random_norm(random, config.hidden);
  for (std::int64_t i = 0; i < config.layers; ++i) {
    EncoderLayerWeights layer;
    layer.query = random_linear(random, config.hidden, config.hidden);
    layer.key = random_linear(random, config.hidden, config.hidden);
    layer.value = random_linear(random, config.hidden, config.hidden);
    layer.attention_output = random_linear(random, config.hidden, config.hidden);
    layer.attention_norm = random_norm(random, config.hidden);
    layer.intermediate = random_linear(random, config.hidden, config.intermediate);
    layer.output = random_linear(random, config.intermediate, config.hidden);
    layer.output_norm = random_norm(random, config.hidden);
    encoder.layers.push_back(std::move(layer));
  }
  model.memory = initialize_memory(memory, config, seed);
  return model;
}

}  // namespace memmatch::test
