#include <fmt/format.h>

#include <utility>

#include "engine/encoder.h"
#include "engine/packed_model.h"
#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::invalid_argument, message);
}

void check_offsets(const PackedBatch& batch) {
  if (batch.offsets.empty() || batch.offsets.front() != 0 ||
      !std::cmp_equal(batch.offsets.back(), batch.tokens.size()))
    refuse("the offsets of a packed batch must begin with 0 and end with its number of tokens");
}

void check_length(const PackedBatch& batch, std::int64_t sequence, std::int64_t positions) {
  const std::int64_t length = batch.length(sequence);
  if (length < 1) refuse(fmt::format("sequence {} has no tokens", sequence));
  if (length > positions) {
    refuse(fmt::format("sequence {} has {} tokens, but the encoder has only {} positions: cut it",
                       sequence, length, positions));
  }
}

void check_ids(std::span<const std::int32_t> ids, std::int64_t vocabulary, std::int64_t sequence,
               std::string_view kind) {
  for (const std::int32_t id : ids) {
    if (id >= 0 && id < vocabulary) continue;
    refuse(
        fmt::format("sequence {}: {} id {} is not within the model's vocabulary of {}: was it "
                    "made with this model's tokeniser?",
                    sequence, kind, id, vocabulary));
  }
}

std::size_t bytes(const std::vector<float>& values) { return values.size() * sizeof(float); }

std::size_t bytes(const PackedNorm& norm) {
  return bytes(norm.weights.weight) + bytes(norm.weights.bias);
}

std::size_t bytes(const PackedLayer& layer) {
  return layer.qkv.bytes() + layer.attention_output.bytes() + bytes(layer.attention_norm) +
         layer.up.bytes() + layer.down.bytes() + bytes(layer.output_norm);
}

}  // namespace

Engine::Engine(ModelWeights weights, Precision precision) try
    : model_(std::make_unique<PackedModel>(pack_model(std::move(weights), precision))) {
} catch (const dnnl::error& error) {
  throw Error(ErrorKind::unsupported,
              fmt::format("oneDNN cannot run this model on this machine: {}", error.what()));
}

Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

std::int64_t Engine::dimension(Pooling pooling) const {
  if (pooling == Pooling::mean) return model_->config.hidden;
  return memory_level(*model_, pooling).filters.shape.out;
}

void Engine::check(const PackedBatch& batch, Pooling pooling,
                   std::span<const float> vectors) const {
  check_offsets(batch);
  if (!std::cmp_equal(vectors.size(), batch.sequences() * dimension(pooling)))
    refuse(
        fmt::format("{} sequences make vectors of {} floats each, but there is room for {} in all",
                    batch.sequences(), dimension(pooling), vectors.size()));
  const bool has_words = pooling != Pooling::mean;
  if (has_words && batch.words.size() != batch.tokens.size())
    refuse(fmt::format("the batch has {} memory words for {} tokens: there must be one for each",
                       batch.words.size(), batch.tokens.size()));
  for (std::int64_t i = 0; i < batch.sequences(); ++i) {
    check_length(batch, i, model_->config.positions);
    const auto first = static_cast<std::size_t>(batch.offsets[static_cast<std::size_t>(i)]);
    const auto length = static_cast<std::size_t>(batch.length(i));
    check_ids(std::span(batch.tokens).subspan(first, length), model_->config.vocabulary, i,
              "token");
    if (has_words) {
      check_ids(std::span(batch.words).subspan(first, length), model_->memory->config.vocabulary, i,
                "memory word");
    }
  }
}

const EncoderConfig& Engine::config() const { return model_->config; }

Precision Engine::precision() const { return model_->precision; }

std::size_t Engine::weight_bytes() const {
  std::size_t total = bytes(model_->word_embeddings) + bytes(model_->position_embeddings) +
                      bytes(model_->embedding_norm);
  for (const PackedLayer& layer : model_->layers) total += bytes(layer);
  if (model_->memory) {
    for (const PackedMemoryLevel& level : model_->memory->levels)
      total += bytes(level.embeddings) + level.filters.bytes();
  }
  return total;
}

}  // namespace memmatch::engine
