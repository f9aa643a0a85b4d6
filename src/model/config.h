#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace memmatch {

// The shape of a BERT, as Hugging Face's `config.json` gives it.
struct EncoderConfig {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t intermediate = 0;
  std::int64_t positions = 512;
  std::int64_t token_types = 2;
  double layer_norm_epsilon = 1e-12;
};

// The memory layers of the paper: one for each of the three levels.
struct MemoryConfig {
  std::int64_t vocabulary = 7502;  // pieces, padding (0) and unknown (1)
  std::int64_t word_dimension = 300;
  std::int64_t filters = 1000;
  // Longest sequences in pieces, without [CLS] and [SEP].
  std::array<std::int64_t, 3> lengths = {50, 100, 150};
  // How many of the encoder's layers a level reads through, from the lowest; 0 is all, the paper's.
  // Levels that run often may stop half-way.
  std::array<std::int64_t, 3> layers = {0, 0, 0};

  std::int64_t depth(int level, const EncoderConfig& encoder) const {
    const std::int64_t own = layers[static_cast<std::size_t>(level - 1)];
    return own > 0 ? own : encoder.layers;
  }
};

// How a model's search goes beyond the paper's; by default it does not. It belongs to the model, as
// its amounts are in the units of its distances.
struct SearchConfig {
  // How much nearer each letter of a word that it shares with the claim brings a sentence, in the
  // rankings of levels 1 and 2.
  std::array<double, 2> word_credit = {0, 0};
  // Level 3 also reads the first sentence of the evidence alone; a label's distance is the mean.
  bool first_alone = false;

  friend bool operator==(const SearchConfig&, const SearchConfig&) = default;
};

}  // namespace memmatch
