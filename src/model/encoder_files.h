#pragma once

#include <filesystem>

#include "model/tensors.h"
#include "model/tokenizer_files.h"
#include "model/weights.h"

// The files of a BERT as Hugging Face lays them out.

namespace memmatch {

struct ModelPaths {
  std::filesystem::path config;     // config.json
  std::filesystem::path weights;    // model.safetensors, model.fp16.safetensors or model.onnx
  std::filesystem::path tokenizer;  // tokenizer.json or vocab.txt
};

// The files of a model, given its folder or the .safetensors or .onnx file in it. A folder's
// safetensors count before its ONNX file, `onnx/model.onnx` or `model.onnx`. Throws Error:
// not_found, saying which is missing; unsupported for weights in PyTorch's own format or in several
// files.
ModelPaths find_model_files(const std::filesystem::path& folder_or_file);

// `tokenizer.json` or `vocab.txt`, checked to fit the encoder: all its ids have an embedding, and
// [CLS] and [SEP] are there.
text::WordPiece load_tokenizer(const std::filesystem::path& file, const EncoderConfig& config);

// The weights' file, of either format.
TensorFile open_weights(const std::filesystem::path& file);

// The encoder's weights, under names with or without `bert.` in front. The pooler and the heads of
// other tasks are ignored. Throws Error naming file and tensor where one is missing, has another
// shape than `config` says, is of a type that weights cannot have, or holds a NaN or infinity; and
// where the file holds more layers than `config` says.
EncoderWeights read_encoder(const TensorFile& file, const EncoderConfig& config);

// The memory layers, as in memmatch's own models.
MemoryWeights read_memory(const TensorFile& file, const MemoryConfig& memory,
                          const EncoderConfig& encoder);

}  // namespace memmatch
