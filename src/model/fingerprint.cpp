#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "model/model_files.h"
#include "model/tensor_names.h"

// The fingerprint is the hash of a text that lists what a model computes with: a line for the
// settings of each part, and one for each tensor with its name, shape and hash, in the order of
// their names.

namespace memmatch {
namespace {

std::string hex(std::string_view bytes) { return to_hex(content_hash(bytes)); }

std::string describe(const EncoderConfig& c) {
  return fmt::format(
      "encoder vocabulary={} hidden={} layers={} heads={} intermediate={} positions={} "
      "token_types={} layer_norm_epsilon={:a}\n",
      c.vocabulary, c.hidden, c.layers, c.heads, c.intermediate, c.positions, c.token_types,
      c.layer_norm_epsilon);
}

std::string describe(const MemoryConfig& c) {
  std::string text = fmt::format(
      "memory vocabulary={} word_dimension={} filters={} lengths={},{},{}\n", c.vocabulary,
      c.word_dimension, c.filters, c.lengths[0], c.lengths[1], c.lengths[2]);
  // Models in which all levels read the top had their fingerprints before there were others.
  if (c.layers != MemoryConfig{}.layers)
    text += fmt::format("layers={},{},{}\n", c.layers[0], c.layers[1], c.layers[2]);
  return text;
}

// Each piece is a line with its length in front, so that no two lists read alike.
void append_piece(std::string& list, std::string_view piece) {
  list += fmt::format("{} {}\n", piece.size(), piece);
}

std::string describe(const text::WordPiece& tokenizer) {
  const text::WordPieceOptions& o = tokenizer.options();
  std::vector<std::string> special = o.special;
  std::sort(special.begin(), special.end());
  std::string words;
  append_piece(words, o.unknown);
  append_piece(words, o.continuation);
  for (const std::string& piece : special) append_piece(words, piece);
  std::string pieces;
  for (std::int32_t id = 0; id < tokenizer.vocabulary().size(); ++id) {
    append_piece(pieces, tokenizer.vocabulary().piece(id));
  }
  return fmt::format(
      "tokenizer lowercase={:d} strip_accents={:d} clean_text={:d} split_ideographs={:d} "
      "max_word_characters={} special={} pieces={}\n",
      o.lowercase, o.strip_accents, o.clean_text, o.split_ideographs, o.max_word_characters,
      hex(words), hex(pieces));
}

std::string describe(const MemoryVocabulary& vocabulary) {
  std::string pieces;
  for (const MemoryVocabulary::Entry& entry : vocabulary.entries) append_piece(pieces, entry.piece);
  return fmt::format("memory_vocabulary pieces={}\n", hex(pieces));
}

}  // namespace

std::string architecture(const ModelData& model) {
  std::string text = describe(model.weights.encoder.config) + describe(model.tokenizer);
  if (model.weights.memory) text += describe(model.weights.memory->config);
  if (model.memory_vocabulary) text += describe(*model.memory_vocabulary);
  return text;
}

ContentHash vector_fingerprint(const ModelData& model) {
  std::string text = architecture(model);
  std::vector<std::string> tensors;
  const auto add = [&](const std::string& name, const TensorShape& shape,
                       const std::vector<float>& values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                                 values.size() * sizeof values[0]);
    tensors.push_back(fmt::format("tensor {} {} {}\n", name, to_string(shape), hex(bytes)));
  };
  visit_encoder(model.weights.encoder, add);
  if (model.weights.memory) visit_memory(*model.weights.memory, add);
  std::sort(tensors.begin(), tensors.end());
  for (const std::string& line : tensors) text += line;
  return content_hash(text);
}

ContentHash fingerprint(const ModelData& model) {
  return fingerprint(model, vector_fingerprint(model));
}

ContentHash fingerprint(const ModelData& model, const ContentHash& vectors) {
  const SearchConfig& search = model.search;
  if (search == SearchConfig{}) return vectors;
  return content_hash(fmt::format("{} search word_credit={:a},{:a} first_alone={:d}\n",
                                  to_hex(vectors), search.word_credit[0], search.word_credit[1],
                                  search.first_alone));
}

}  // namespace memmatch
