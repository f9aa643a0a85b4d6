#include "model/model_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/files.h"
#include "memmatch/error.h"
#include "model/encoder_files.h"
#include "model/tensor_names.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigFile = "config.json";
constexpr const char* kWeightsFile = "model.safetensors";
constexpr const char* kMemoryVocabularyFile = "memory_vocabulary.txt";
constexpr const char* kTokenizerConfigFile = "tokenizer_config.json";
constexpr const char* kMemoryConfigFile = "memory_config.json";
constexpr const char* kMemoryWeightsFile = "memory.safetensors";
constexpr const char* kVocabFile = "vocab.txt";

// All that a model's folder may hold for it to be replaced as a whole.
constexpr std::string_view kKnownFiles[] = {kConfigFile,
                                            kWeightsFile,
                                            "model.fp16.safetensors",
                                            "tokenizer.json",
                                            kVocabFile,
                                            kMemoryVocabularyFile,
                                            kTokenizerConfigFile,
                                            kMemoryConfigFile,
                                            kMemoryWeightsFile,
                                            "special_tokens_map.json",
                                            "calibration.json"};

std::vector<NamedFile> read_tokenizer_files(const fs::path& tokenizer) {
  std::vector<NamedFile> files = {{tokenizer.filename().string(), read_file(tokenizer)}};
  const fs::path config = tokenizer.parent_path() / kTokenizerConfigFile;
  if (path_exists(config)) files.push_back({kTokenizerConfigFile, read_file(config)});
  return files;
}

MemoryVocabulary load_memory_vocabulary(const fs::path& file, const MemoryConfig& config,
                                        const text::WordPiece& tokenizer) {
  MemoryVocabulary vocabulary = read_memory_vocabulary(file);
  if (vocabulary.size() != config.vocabulary) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: {} entries, but config.json's 'memory_vocabulary_size' is {}",
                            file.string(), vocabulary.size(), config.vocabulary));
  }
  try {
    memory_ids(vocabulary, tokenizer);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", file.string(), error.what()));
  }
  return vocabulary;
}

// The network relies on it: padding adds nothing to a sequence.
void check_padding_rows(const MemoryWeights& memory, const std::string& file) {
  for (std::size_t i = 0; i < memory.levels.size(); ++i) {
    const std::vector<float>& embeddings = memory.levels[i].embeddings;
    const auto end = embeddings.begin() + memory.config.word_dimension;
    if (std::all_of(embeddings.begin(), end, [](float value) { return value == 0; })) continue;
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: tensor 'memory.level{}.embeddings.weight': row 0, the padding, is "
                            "not zero",
                            file, i + 1));
  }
}

template <typename Weights, typename VisitAll>
void append(std::vector<TensorView>& views, const Weights& weights, VisitAll visit_all) {
  visit_all(weights, [&](const std::string& name, const TensorShape& shape,
                         const std::vector<float>& values) {
    views.push_back({name, shape, values});
  });
}

std::vector<TensorView> encoder_views(const ModelData& model) {
  std::vector<TensorView> views;
  append(views, model.weights.encoder,
         [](const auto& weights, auto visit) { visit_encoder(weights, visit); });
  return views;
}

void append_memory_views(std::vector<TensorView>& views, const ModelData& model) {
  if (!model.weights.memory) return;
  append(views, *model.weights.memory,
         [](const auto& weights, auto visit) { visit_memory(weights, visit); });
}

// A vocab.txt does not say whether capitals are kept, and other programs ask this file.
std::string tokenizer_config_text(const ModelData& model) {
  const nlohmann::ordered_json fields = {
      {"tokenizer_class", "BertTokenizer"},
      {"do_lower_case", model.tokenizer.options().lowercase},
      {"model_max_length", model.weights.encoder.config.positions}};
  return fields.dump(2) + "\n";
}

void write_tokenizer(const ModelData& model, const fs::path& folder) {
  for (const NamedFile& file : model.tokenizer_files) {
    write_file_atomically(folder / file.name, file.content);
  }
  if (!path_exists(folder / kTokenizerConfigFile)) {
    write_file_atomically(folder / kTokenizerConfigFile, tokenizer_config_text(model));
  }
}

void write_memory_vocabulary(const ModelData& model, const fs::path& folder) {
  if (!model.memory_vocabulary) return;
  write_file_atomically(folder / kMemoryVocabularyFile,
                        memory_vocabulary_text(*model.memory_vocabulary));
}

std::string vocab_text(const text::Vocabulary& vocabulary) {
  std::string text;
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) text += vocabulary.piece(id) + "\n";
  return text;
}

}  // namespace

ModelConfig ModelData::config() const {
  ModelConfig config;
  config.encoder = weights.encoder.config;
  if (weights.memory) config.memory = weights.memory->config;
  config.seed = seed;
  config.search = search;
  return config;
}

ModelData load_model(const fs::path& folder_or_file) {
  const ModelPaths paths = find_model_files(folder_or_file);
  std::string config_text = read_file(paths.config);
  const ModelConfig config = parse_model_config(config_text, paths.config.string());
  ModelData model{.weights = {},
                  .tokenizer = load_tokenizer(paths.tokenizer, config.encoder),
                  .tokenizer_files = read_tokenizer_files(paths.tokenizer),
                  .memory_vocabulary = {},
                  .seed = config.seed,
                  .search = config.search};
  const TensorFile file = open_weights(paths.weights);
  model.weights.encoder = read_encoder(file, config.encoder);
  if (!config.memory) return model;
  model.weights.memory = read_memory(file, *config.memory, config.encoder);
  check_padding_rows(*model.weights.memory, file.name());
  model.memory_vocabulary = load_memory_vocabulary(
      paths.config.parent_path() / kMemoryVocabularyFile, *config.memory, model.tokenizer);
  return model;
}

void check_target(const fs::path& folder, bool force) {
  if (!path_exists(folder)) return;
  if (!force) {
    throw Error(ErrorKind::conflict,
                folder.string() + ": exists already; use --force to replace the model there");
  }
  if (!is_folder(folder)) {
    throw Error(ErrorKind::conflict, folder.string() + ": is not a folder, and is not replaced");
  }
  for (const fs::path& entry : entries_of(folder)) {
    const std::string name = entry.filename().string();
    if (std::find(std::begin(kKnownFiles), std::end(kKnownFiles), name) != std::end(kKnownFiles)) {
      continue;
    }
    throw Error(ErrorKind::conflict,
                fmt::format("{}: is not replaced, since it holds '{}', which is no part of a model",
                            folder.string(), name));
  }
}

void save_model(const ModelData& model, const fs::path& folder, const SaveOptions& options) {
  check_target(folder, options.force);
  AtomicFolder target(folder);
  write_file_atomically(target.path() / kConfigFile, model_config_text(model.config()));
  std::vector<TensorView> views = encoder_views(model);
  append_memory_views(views, model);
  write_safetensors(target.path() / kWeightsFile, std::move(views), options.storage);
  write_tokenizer(model, target.path());
  write_memory_vocabulary(model, target.path());
  target.commit(options.force);
}

void export_model(const ModelData& model, const fs::path& folder, const SaveOptions& options) {
  check_target(folder, options.force);
  AtomicFolder target(folder);
  ModelConfig config = model.config();
  config.memory.reset();
  write_file_atomically(target.path() / kConfigFile, model_config_text(config));
  write_safetensors(target.path() / kWeightsFile, encoder_views(model), options.storage);
  write_tokenizer(model, target.path());
  write_file_atomically(target.path() / kVocabFile, vocab_text(model.tokenizer.vocabulary()));
  if (model.weights.memory) {
    std::vector<TensorView> views;
    append_memory_views(views, model);
    write_safetensors(target.path() / kMemoryWeightsFile, std::move(views), options.storage);
    write_file_atomically(target.path() / kMemoryConfigFile, memory_config_text(model.config()));
    write_memory_vocabulary(model, target.path());
  }
  target.commit(options.force);
}

}  // namespace memmatch
