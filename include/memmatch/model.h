#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "memmatch/types.h"

// A model: the encoder and its memory layers, in a folder.
//
//   const auto model = memmatch::Model::open("models/default");
//   if (model.info().memory) …  // has memory layers, so it can verify claims
//
// Errors are memmatch::Error. The folder of any BERT in Hugging Face's layout can be opened too; it
// has no memory layers.

namespace memmatch {

struct ModelData;

// The memory layers, one for each of the three levels.
struct MemoryInfo {
  std::int64_t filters = 0;                   // the size of a memory vector
  std::int64_t word_dimension = 0;            // of the word embeddings
  std::int64_t vocabulary = 0;                // their rows, with padding and unknown
  std::array<std::int64_t, 3> lengths{};      // longest sequences, in pieces
  std::array<std::int64_t, 3> layers{};       // of the encoder that each level reads through
  std::uint64_t parameters_of_one_level = 0;  // the three are alike
  std::uint64_t seed = 0;                     // what they were initialised with
  // Where the search goes beyond the paper's: how much nearer a shared letter brings a sentence at
  // levels 1 and 2, and whether level 3 also reads the first sentence alone.
  std::array<double, 2> word_credit{};
  bool first_alone = false;
};

struct ModelInfo {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t intermediate = 0;
  std::int64_t positions = 0;
  bool lowercases = false;               // its tokeniser does not tell capitals
  std::uint64_t encoder_parameters = 0;  // without the pooler, which is not used
  std::uint64_t pooler_parameters = 0;
  std::optional<MemoryInfo> memory;
  // Tells models apart: vectors that were made with another fingerprint are of no use with this
  // one.
  ContentHash fingerprint{};

  std::uint64_t parameters() const {
    return encoder_parameters + (memory ? 3 * memory->parameters_of_one_level : 0);
  }
};

// An opened model: immutable, so any number of threads may use it.
class Model {
 public:
  // `path` is the model's folder or the .safetensors or .onnx file in it. Reads and checks all of
  // it. Throws Error: not_found, corrupt, unsupported, io; the message names the file and tensor or
  // field.
  static Model open(const std::filesystem::path& path);

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  const ModelInfo& info() const { return info_; }

  // The numbers and vocabularies, for the library's own use.
  const ModelData& data() const { return *data_; }

 private:
  explicit Model(std::unique_ptr<const ModelData> data);

  std::unique_ptr<const ModelData> data_;
  ModelInfo info_;
};

}  // namespace memmatch
