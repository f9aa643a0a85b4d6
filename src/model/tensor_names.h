#pragma once

#include <string>
#include <vector>

#include "model/weights.h"

// Which tensor of a weights file is which array of a model: the one place that knows, for reading,
// writing and fingerprints alike. Encoder names are Hugging Face's, without the `bert.` in front
// that some of its files have.

namespace memmatch {

using TensorShape = std::vector<std::uint64_t>;

template <typename... Sizes>
TensorShape tensor_shape(Sizes... sizes) {
  return {static_cast<std::uint64_t>(sizes)...};
}

template <typename Linear, typename Visit>
void visit_linear(const std::string& name, Linear& linear, Visit& visit) {
  visit(name + ".weight", tensor_shape(linear.out, linear.in), linear.weight);
  visit(name + ".bias", tensor_shape(linear.out), linear.bias);
}

template <typename Norm, typename Visit>
void visit_norm(const std::string& name, std::int64_t hidden, Norm& norm, Visit& visit) {
  visit(name + ".weight", tensor_shape(hidden), norm.weight);
  visit(name + ".bias", tensor_shape(hidden), norm.bias);
}

// Calls visit(name, shape, values) for every tensor of `weights`, EncoderWeights or const
// EncoderWeights, whose sizes must have been set (see shape_weights).
template <typename Weights, typename Visit>
void visit_encoder(Weights& weights, Visit visit) {
  const EncoderConfig& c = weights.config;
  visit("embeddings.word_embeddings.weight", tensor_shape(c.vocabulary, c.hidden),
        weights.word_embeddings);
  visit("embeddings.position_embeddings.weight", tensor_shape(c.positions, c.hidden),
        weights.position_embeddings);
  visit("embeddings.token_type_embeddings.weight", tensor_shape(c.token_types, c.hidden),
        weights.type_embeddings);
  visit_norm("embeddings.LayerNorm", c.hidden, weights.embedding_norm, visit);
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    const std::string name = "encoder.layer." + std::to_string(i) + ".";
    auto& layer = weights.layers[i];
    visit_linear(name + "attention.self.query", layer.query, visit);
    visit_linear(name + "attention.self.key", layer.key, visit);
    visit_linear(name + "attention.self.value", layer.value, visit);
    visit_linear(name + "attention.output.dense", layer.attention_output, visit);
    visit_norm(name + "attention.output.LayerNorm", c.hidden, layer.attention_norm, visit);
    visit_linear(name + "intermediate.dense", layer.intermediate, visit);
    visit_linear(name + "output.dense", layer.output, visit);
    visit_norm(name + "output.LayerNorm", c.hidden, layer.output_norm, visit);
  }
}

// The same for the memory layers.
template <typename Weights, typename Visit>
void visit_memory(Weights& weights, Visit visit) {
  for (std::size_t i = 0; i < weights.levels.size(); ++i) {
    const std::string name = "memory.level" + std::to_string(i + 1) + ".";
    auto& level = weights.levels[i];
    visit(name + "embeddings.weight",
          tensor_shape(weights.config.vocabulary, weights.config.word_dimension), level.embeddings);
    visit_linear(name + "filters", level.filters, visit);
  }
}

// Weights with the sizes of `config` and no numbers yet.
EncoderWeights shape_weights(const EncoderConfig& config);
MemoryWeights shape_weights(const MemoryConfig& memory, const EncoderConfig& encoder);

}  // namespace memmatch
