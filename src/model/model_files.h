#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "memmatch/types.h"
#include "model/config_files.h"
#include "model/memory_vocabulary.h"
#include "model/safetensors.h"
#include "model/weights.h"
#include "text/wordpiece.h"

// Models as folders: an encoder in Hugging Face's layout, with or without memory layers. The layout
// is described in docs/file_formats.md.

namespace memmatch {

// A small file of a model's folder that is kept as it is.
struct NamedFile {
  std::string name;
  std::string content;
};

// Everything there is in a model's folder.
struct ModelData {
  ModelWeights weights;
  text::WordPiece tokenizer;
  std::vector<NamedFile> tokenizer_files;             // what `tokenizer` was read from
  std::optional<MemoryVocabulary> memory_vocabulary;  // there whenever weights.memory is
  std::uint64_t seed = 0;                             // of the memory layers' first values
  SearchConfig search = {};

  ModelConfig config() const;
};

// Reads a memmatch model or the folder of a bare encoder, given the folder or its .safetensors
// or .onnx file. Throws Error naming the file and what is wrong with it.
ModelData load_model(const std::filesystem::path& folder_or_file);

struct SaveOptions {
  Storage storage = Storage::fp32;
  bool force = false;  // replace a model that is there already
};

// Writes a model's folder; it appears under its name when it is complete. Throws Error: conflict
// where `folder` exists and options.force is false, or it holds anything that is no part of a
// model; io.
void save_model(const ModelData& model, const std::filesystem::path& folder,
                const SaveOptions& options);

// The same for other programs: the encoder alone in `model.safetensors`, the memory layers beside
// it in `memory.safetensors` with their settings in `memory_config.json`, and a `vocab.txt`.
void export_model(const ModelData& model, const std::filesystem::path& folder,
                  const SaveOptions& options);

// Throws as save_model would, before the work is done.
void check_target(const std::filesystem::path& folder, bool force);

// All that a model computes with, but its numbers, as a text: settings and vocabularies.
std::string architecture(const ModelData& model);

// 128 bits that tell whether two models compute the same: of the settings, the vocabularies and the
// numbers, whatever the files that hold them are like.
ContentHash fingerprint(const ModelData& model);

// The same for vectors, which do not depend on SearchConfig: models that differ in it alone share
// their level-1 vectors.
ContentHash vector_fingerprint(const ModelData& model);

// fingerprint() of a model whose vector_fingerprint() is known: that is the work.
ContentHash fingerprint(const ModelData& model, const ContentHash& vectors);

}  // namespace memmatch
