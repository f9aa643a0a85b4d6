#include "search/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

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

// Half of the largest half: differences of two such numbers are halves as well, and no distance is
// infinite.
constexpr float kLargestElement = 65504.0F / 2;

void expect_small(const Vectors& vectors) {
  const std::span<const float> values = vectors.values();
  const bool small = std::all_of(values.begin(), values.end(),
                                 [](float x) { return std::abs(x) <= kLargestElement; });
  if (small) return;
  throw Error(ErrorKind::corrupt,
              fmt::format("the model's vectors have elements beyond {}: its weights are damaged, "
                          "or were never trained",
                          kLargestElement));
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

Vectors Network::encode(const Batch& batch, int level) {
  const auto start = std::chrono::steady_clock::now();
  Vectors vectors(batch.rows(), dimension_);
  if (batch.rows() > 0) pool_.encode(batch.packed(), pooling_of(level), vectors.values());
  expect_small(vectors);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return vectors;
}

TracedVectors Network::encode_traced(const Batch& batch, int level) {
  TracedVectors traced{Vectors(batch.rows(), dimension_), {}};
  traced.tokens.resize(traced.vectors.values().size());
  engine::Worker(engine_).encode_traced(batch.packed(), pooling_of(level), traced.vectors.values(),
                                        traced.tokens);
  expect_small(traced.vectors);
  return traced;
}

std::size_t Network::mean_dimension() const {
  return static_cast<std::size_t>(engine_.dimension(engine::Pooling::mean));
}

Vectors Network::encode_mean(const Batch& batch) {
  Vectors vectors(batch.rows(), mean_dimension());
  if (batch.rows() > 0) pool_.encode(batch.packed(), engine::Pooling::mean, vectors.values());
  return vectors;
}

}  // namespace memmatch::search
