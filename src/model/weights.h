#pragma once

#include <array>
#include <optional>
#include <vector>

#include "model/config.h"

// The numbers of a model as plain fp32 arrays, row-major, whatever the file stored. The engine
// packs them into its own layout; the training twin makes tensors of them.

namespace memmatch {

// y = W x + b with W[out][in].
struct LinearWeights {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::vector<float> weight;
  std::vector<float> bias;
};

struct LayerNormWeights {
  std::vector<float> weight;
  std::vector<float> bias;
};

struct EncoderLayerWeights {
  LinearWeights query;
  LinearWeights key;
  LinearWeights value;
  LinearWeights attention_output;
  LayerNormWeights attention_norm;
  LinearWeights intermediate;
  LinearWeights output;
  LayerNormWeights output_norm;
};

struct EncoderWeights {
  EncoderConfig config;
  std::vector<float> word_embeddings;      // [vocabulary][hidden]
  std::vector<float> position_embeddings;  // [positions][hidden]
  std::vector<float> type_embeddings;      // [token_types][hidden]
  LayerNormWeights embedding_norm;
  std::vector<EncoderLayerWeights> layers;
};

// One memory layer: g = b + max(0, max over the sequence of W [word embedding ; hidden state]).
struct MemoryLevelWeights {
  std::vector<float> embeddings;  // [vocabulary][word_dimension]; row 0 (padding) is zero
  LinearWeights filters;          // in = word_dimension + hidden, word embedding first
};

struct MemoryWeights {
  MemoryConfig config;
  std::array<MemoryLevelWeights, 3> levels;
};

struct ModelWeights {
  EncoderWeights encoder;
  std::optional<MemoryWeights> memory;  // a bare encoder has none
};

}  // namespace memmatch
