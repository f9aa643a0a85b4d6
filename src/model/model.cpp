#include "memmatch/model.h"

#include "model/model_files.h"

namespace memmatch {
namespace {

MemoryInfo describe(const MemoryConfig& memory, const ModelConfig& config) {
  return {.filters = memory.filters,
          .word_dimension = memory.word_dimension,
          .vocabulary = memory.vocabulary,
          .lengths = memory.lengths,
          .layers = {memory.depth(1, config.encoder), memory.depth(2, config.encoder),
                     memory.depth(3, config.encoder)},
          .parameters_of_one_level = memory_level_parameters(memory, config.encoder),
          .seed = config.seed,
          .word_credit = config.search.word_credit,
          .first_alone = config.search.first_alone};
}

ModelInfo describe(const ModelData& model) {
  const ModelConfig config = model.config();
  const EncoderConfig& encoder = config.encoder;
  ModelInfo info;
  info.vocabulary = encoder.vocabulary;
  info.hidden = encoder.hidden;
  info.layers = encoder.layers;
  info.heads = encoder.heads;
  info.intermediate = encoder.intermediate;
  info.positions = encoder.positions;
  info.lowercases = model.tokenizer.options().lowercase;
  info.encoder_parameters = encoder_parameters(encoder);
  info.pooler_parameters = pooler_parameters(encoder);
  if (config.memory) info.memory = describe(*config.memory, config);
  info.fingerprint = fingerprint(model);
  return info;
}

}  // namespace

Model Model::open(const std::filesystem::path& path) {
  return Model(std::make_unique<const ModelData>(load_model(path)));
}

Model::Model(std::unique_ptr<const ModelData> data)
    : data_(std::move(data)), info_(describe(*data_)) {}

Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

}  // namespace memmatch
