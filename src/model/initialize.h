#pragma once

#include <cstdint>
#include <random>

#include "model/model_files.h"

namespace memmatch {

// Random numbers that are the same on every machine and with every standard library: the standard
// fixes the bits of std::mt19937_64, but not what its distributions make of them.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  // From [0, 1).
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

  // Mean 0 and variance 1 (Marsaglia's polar method).
  double normal();

 private:
  std::mt19937_64 bits_;
  double spare_ = 0;
  bool has_spare_ = false;
};

// Memory layers before training (reference §3.4): embeddings from N(0, 1) with the row of the
// padding zero, filters and biases uniform from ±1/√(word dimension + hidden).
MemoryWeights initialize_memory(const MemoryConfig& memory, const EncoderConfig& encoder,
                                std::uint64_t seed);

// A level that, before it learns anything, is near where rare words are shared. To a piece that has
// `count` occurrences in `texts` texts a filter answers √log(texts/count) · (x - 2), with x from
// N(0, 1) for each filter and piece: above nothing, which is what counts, for one filter in 44. A
// piece as frequent as the texts says nothing, and neither does the encoder yet. Throws
// Error(invalid_argument) where the word dimension is 1.
MemoryLevelWeights match_words(const MemoryVocabulary& vocabulary, const MemoryConfig& memory,
                               const EncoderConfig& encoder, std::int64_t texts,
                               std::uint64_t seed);

// Gives an encoder new memory layers with the settings of `memory` (its vocabulary's size is that
// of `vocabulary`), replacing those it may have. Throws Error(invalid_argument) where they do not
// fit.
void add_memory(ModelData& model, MemoryConfig memory, MemoryVocabulary vocabulary,
                std::uint64_t seed);

}  // namespace memmatch
