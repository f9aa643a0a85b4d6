#pragma once

#include <string>

#include "model/initialize.h"
#include "model/model_files.h"
#include "model/tensor_names.h"

namespace memmatch::test {

// A vocabulary of our own in which the sequences' prefixes can be spelt.
inline std::string tiny_vocab_txt() {
  std::string text;
  for (const char* piece :
       {"[PAD]", "[UNK]",  "[CLS]",   "[SEP]",  "[MASK]",  "Claim", "Evidence", "Consider",
        "Pre",   "##dict", "Refer",   "##ence", "Support", "##s",   "Refute",   "Un",
        "##ver", "##if",   "##iable", ":",      ".",       ",",     "sentence", "A",
        "cat",   "dog",    "sat",     "0",      "1",       "the",   "sun",      "moon"}) {
    text += std::string(piece) + "\n";
  }
  return text;
}

inline EncoderConfig tiny_encoder_config() {
  return {.vocabulary = 32,
          .hidden = 8,
          .layers = 1,
          .heads = 2,
          .intermediate = 12,
          .positions = 24,
          .token_types = 2,
          .layer_norm_epsilon = 1e-12};
}

inline text::WordPiece tiny_tokenizer() {
  std::vector<std::string> pieces;
  std::string piece;
  for (const char c : tiny_vocab_txt()) {
    if (c != '\n') {
      piece.push_back(c);
    } else {
      pieces.push_back(std::move(piece));
      piece.clear();
    }
  }
  return text::WordPiece(text::Vocabulary(std::move(pieces)), {});
}

// An encoder with random weights, and memory layers upon it.
inline ModelData tiny_model() {
  const EncoderConfig config = tiny_encoder_config();
  ModelData model{.weights = {shape_weights(config), {}},
                  .tokenizer = tiny_tokenizer(),
                  .tokenizer_files = {{"vocab.txt", tiny_vocab_txt()}},
                  .memory_vocabulary = {},
                  .seed = 7};
  Random random(1);
  visit_encoder(model.weights.encoder,
                [&](const std::string& name, const TensorShape& shape, std::vector<float>& values) {
                  std::uint64_t elements = 1;
                  for (const std::uint64_t dimension : shape) elements *= dimension;
                  values.resize(elements);
                  const float base = name.ends_with("LayerNorm.weight") ? 1.0f : 0.0f;
                  for (float& value : values)
                    value = base + 0.25f * static_cast<float>(random.normal());
                });
  MemoryVocabularyCounter counter(model.tokenizer);
  counter.add_query("Claim: A cat sat.");
  counter.add_support("Supports: Claim: A cat sat. Evidence: A cat, sentence 0: the cat sat.");
  model.memory_vocabulary = counter.finish(20);
  const MemoryConfig memory = {.vocabulary = model.memory_vocabulary->size(),
                               .word_dimension = 4,
                               .filters = 5,
                               .lengths = {6, 12, 18}};
  model.weights.memory = initialize_memory(memory, config, model.seed);
  return model;
}

}  // namespace memmatch::test
