#pragma once

#include <optional>
#include <vector>

#include "engine/encoder.h"
#include "engine/linear.h"

namespace memmatch::engine {

struct PackedNorm {
  LayerNormWeights weights;
  float epsilon = 0.0f;

  Norm view() const { return {weights.weight.data(), weights.bias.data(), epsilon}; }
};

struct PackedLayer {
  PackedLinear qkv;  // queries (scaled by 1/sqrt(head size)), keys and values side by side
  PackedLinear attention_output;
  PackedNorm attention_norm;
  PackedLinear up;
  PackedLinear down;
  PackedNorm output_norm;
};

struct PackedMemoryLevel {
  std::vector<float> embeddings;
  PackedLinear filters;
};

struct PackedMemory {
  MemoryConfig config;
  std::array<PackedMemoryLevel, 3> levels;
};

// What an Engine is made of.
struct PackedModel {
  EncoderConfig config;
  Precision precision;
  dnnl::engine device;
  const Kernels* kernels;
  std::vector<float> word_embeddings;
  std::vector<float> position_embeddings;  // with the embedding of token type 0 added
  PackedNorm embedding_norm;
  std::vector<PackedLayer> layers;
  std::optional<PackedMemory> memory;
};

// Throws Error(invalid_argument) for a level that the model does not have.
const PackedMemoryLevel& memory_level(const PackedModel& model, Pooling pooling);

// Whether all products can be split by columns.
bool can_be_split(const PackedModel& model);

PackedModel pack_model(ModelWeights weights, Precision precision);

}  // namespace memmatch::engine
