#include "train/embedding_teacher.h"

#include <fmt/format.h>

#include "memmatch/error.h"

namespace memmatch::train {
namespace {

engine::Engine load(const std::filesystem::path& encoder, const EncoderConfig& model) {
  ModelData teacher = load_model(encoder);
  const EncoderConfig& config = teacher.weights.encoder.config;
  if (config.hidden != model.hidden || config.vocabulary != model.vocabulary) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("embedding.like {}: has {} dimensions and {} pieces, the model {} and "
                            "{}; they must be the same",
                            encoder.string(), config.hidden, config.vocabulary, model.hidden,
                            model.vocabulary));
  }
  teacher.weights.memory.reset();
  return engine::Engine(std::move(teacher.weights), engine::Precision::fp32);
}

}  // namespace

EmbeddingTeacher::EmbeddingTeacher(const std::filesystem::path& encoder, const EncoderConfig& model,
                                   int workers)
    : engine_(load(encoder, model)), pool_(engine_, workers) {}

void EmbeddingTeacher::teach(EmbeddingBatch& batch) {
  engine::PackedBatch packed;
  for (const Sequence& sequence : batch.sequences.sequences())
    packed.add(sequence.tokens, sequence.words);
  const std::int64_t dimension = engine_.dimension(engine::Pooling::mean);
  batch.wanted.resize(static_cast<std::size_t>(packed.sequences() * dimension));
  if (!batch.wanted.empty()) pool_.encode(packed, engine::Pooling::mean, batch.wanted);
}

}  // namespace memmatch::train
