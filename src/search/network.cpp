#include "search/network.h"

#include <chrono>

#include "base/hash.h"
#include "memmatch/error.h"

namespace memmatch::search {
namespace {

ModelData with_memory(ModelData model) {
  if (!model.weights.memory) {
    throw Error(
        ErrorKind::invalid_argument,
        "the model is a bare encoder without memory layers; 'memmatch model init' gives it some");
  }
  return model;
}

// Vectors made in different precisions differ a little, and must not be mixed.
ContentHash fingerprint_in(engine::Precision precision, const ContentHash& model) {
  return precision == engine::Precision::fp32 ? model : content_hash(to_hex(model) + " int8");
}

engine::Pooling pooling_of(int level) {
  using engine::Pooling;
  return level == 1 ? Pooling::level1 : level == 2 ? Pooling::level2 : Pooling::level3;
}

}  // namespace

Network::Network(ModelData model, engine::Precision precision, int threads)
    : model_(with_memory(std::move(model))),
      model_vector_fingerprint_(memmatch::vector_fingerprint(model_)),
      model_fingerprint_(memmatch::fingerprint(model_, model_vector_fingerprint_)),
      fingerprint_(fingerprint_in(precision, model_fingerprint_)),
      vector_fingerprint_(fingerprint_in(precision, model_vector_fingerprint_)),
      writer_(model_),
      engine_(std::move(model_.weights), precision),
      pool_(engine_, threads),
      dimension_(static_cast<std::size_t>(engine_.dimension(engine::Pooling::level1))) {}

std::span<const float> Network::encode(int level) {
  const auto start = std::chrono::steady_clock::now();
  vectors_.resize(static_cast<std::size_t>(batch_.sequences()) * dimension_);
  if (batch_.sequences() > 0) pool_.encode(batch_, pooling_of(level), vectors_);
  batch_.clear();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return vectors_;
}

std::size_t Network::mean_dimension() const {
  return static_cast<std::size_t>(engine_.dimension(engine::Pooling::mean));
}

std::span<const float> Network::encode_mean() {
  vectors_.resize(static_cast<std::size_t>(batch_.sequences()) * mean_dimension());
  if (batch_.sequences() > 0) pool_.encode(batch_, engine::Pooling::mean, vectors_);
  batch_.clear();
  return vectors_;
}

std::span<const std::int32_t> Network::encode_traced(int level) {
  vectors_.resize(static_cast<std::size_t>(batch_.sequences()) * dimension_);
  positions_.resize(vectors_.size());
  engine::Worker(engine_).encode_traced(batch_, pooling_of(level), vectors_, positions_);
  batch_.clear();
  return positions_;
}

}  // namespace memmatch::search
