#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/packed_batch.h"
#include "engine/random_model.h"
#include "model/model_files.h"
#include "support.h"

// Models and sequences for the tests of the engine and of its twin.

namespace memmatch::test {

// Small, with sizes that are no multiples of anything.
inline ModelWeights tiny_model() {
  EncoderConfig config;
  config.vocabulary = 211;
  config.hidden = 52;
  config.layers = 3;
  config.heads = 4;
  config.intermediate = 119;
  config.positions = 200;
  MemoryConfig memory;
  memory.vocabulary = 61;
  memory.word_dimension = 21;
  memory.filters = 37;
  return random_model(config, memory, 7);
}

// The shapes of MiniLM with fewer layers and a small vocabulary: the kernels that real models use.
inline ModelWeights minilm_shaped_model() {
  EncoderConfig config;
  config.vocabulary = 500;
  config.hidden = 384;
  config.layers = 2;
  config.heads = 12;
  config.intermediate = 1536;
  MemoryConfig memory;
  memory.vocabulary = 90;
  return random_model(config, memory, 11);
}

// The heads of bert-base, of 64.
inline ModelWeights bert_base_shaped_model() {
  EncoderConfig config;
  config.vocabulary = 300;
  config.hidden = 768;
  config.layers = 1;
  config.heads = 12;
  config.intermediate = 3072;
  MemoryConfig memory;
  memory.vocabulary = 90;
  return random_model(config, memory, 13);
}

inline std::filesystem::path minilm_folder() {
  return std::filesystem::path(MEMMATCH_SOURCE_DIR) / "build" / "encoders" / "minilm";
}

// Sequences of the given lengths with random ids; the first and the last token have word 0.
inline engine::PackedBatch random_batch(const ModelWeights& model,
                                        const std::vector<std::int64_t>& lengths,
                                        std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int32_t>(random.uniform() * static_cast<double>(end));
  };
  engine::PackedBatch batch;
  for (const std::int64_t length : lengths) {
    std::vector<std::int32_t> tokens;
    std::vector<std::int32_t> words;
    for (std::int64_t i = 0; i < length; ++i) {
      const bool inside = i > 0 && i + 1 < length;
      tokens.push_back(below(model.encoder.config.vocabulary));
      words.push_back(inside && model.memory ? below(model.memory->config.vocabulary) : 0);
    }
    batch.add(tokens, words);
  }
  return batch;
}

// Sequence `i` of a batch, alone.
inline engine::PackedBatch alone(const engine::PackedBatch& batch, std::int64_t i) {
  const auto first = static_cast<std::size_t>(batch.offsets[static_cast<std::size_t>(i)]);
  const auto length = static_cast<std::size_t>(batch.length(i));
  engine::PackedBatch one;
  one.add(std::span(batch.tokens).subspan(first, length),
          std::span(batch.words).subspan(first, length));
  return one;
}

}  // namespace memmatch::test
