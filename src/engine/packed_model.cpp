#include "engine/packed_model.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

void expect_size(const std::vector<float>& values, std::int64_t size, const std::string& name) {
  if (std::cmp_equal(values.size(), size)) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{} has {} values where the model's config asks for {}", name,
                          values.size(), size));
}

void expect_shape(const LinearWeights& linear, std::int64_t in, std::int64_t out,
                  const std::string& name) {
  if (linear.in != in || linear.out != out) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} is {} x {} where the model's config asks for {} x {}", name,
                            linear.out, linear.in, out, in));
  }
  expect_size(linear.weight, in * out, name + " weight");
  expect_size(linear.bias, out, name + " bias");
}

void expect_shape(const LayerNormWeights& norm, std::int64_t size, const std::string& name) {
  expect_size(norm.weight, size, name + " weight");
  expect_size(norm.bias, size, name + " bias");
}

void check_config(const EncoderConfig& config) {
  const bool positive = config.vocabulary > 0 && config.hidden > 0 && config.layers > 0 &&
                        config.heads > 0 && config.intermediate > 0 && config.positions > 0 &&
                        config.token_types > 0;
  if (!positive || config.hidden % config.heads != 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("an encoder of hidden size {} with {} heads, {} layers, intermediate "
                            "size {} and {} positions cannot be run: all must be positive, and "
                            "the heads must divide the hidden size",
                            config.hidden, config.heads, config.layers, config.intermediate,
                            config.positions));
  }
}

void check_layer(const EncoderLayerWeights& layer, const EncoderConfig& config,
                 const std::string& name) {
  const std::int64_t hidden = config.hidden;
  expect_shape(layer.query, hidden, hidden, name + " query");
  expect_shape(layer.key, hidden, hidden, name + " key");
  expect_shape(layer.value, hidden, hidden, name + " value");
  expect_shape(layer.attention_output, hidden, hidden, name + " attention output");
  expect_shape(layer.attention_norm, hidden, name + " attention norm");
  expect_shape(layer.intermediate, hidden, config.intermediate, name + " intermediate");
  expect_shape(layer.output, config.intermediate, hidden, name + " output");
  expect_shape(layer.output_norm, hidden, name + " output norm");
}

void check_encoder(const EncoderWeights& encoder) {
  const EncoderConfig& config = encoder.config;
  check_config(config);
  expect_size(encoder.word_embeddings, config.vocabulary * config.hidden, "word embeddings");
  expect_size(encoder.position_embeddings, config.positions * config.hidden, "position embeddings");
  expect_size(encoder.type_embeddings, config.token_types * config.hidden, "type embeddings");
  expect_shape(encoder.embedding_norm, config.hidden, "embedding norm");
  if (!std::cmp_equal(encoder.layers.size(), config.layers)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the encoder has {} layers where its config says {}",
                            encoder.layers.size(), config.layers));
  }
  for (std::size_t i = 0; i < encoder.layers.size(); ++i)
    check_layer(encoder.layers[i], config, fmt::format("layer {}", i));
}

void check_memory(const MemoryWeights& memory, std::int64_t hidden) {
  const MemoryConfig& config = memory.config;
  for (std::size_t i = 0; i < memory.levels.size(); ++i) {
    const std::string name = fmt::format("memory level {}", i + 1);
    expect_size(memory.levels[i].embeddings, config.vocabulary * config.word_dimension,
                name + " embeddings");
    expect_shape(memory.levels[i].filters, config.word_dimension + hidden, config.filters,
                 name + " filters");
  }
}

// Queries, keys and values as one linear layer. The queries' 1/sqrt(head size) is made part of it.
LinearWeights fused_qkv(const EncoderLayerWeights& layer, const EncoderConfig& config) {
  const float scale =
      1.0f / std::sqrt(static_cast<float>(config.hidden) / static_cast<float>(config.heads));
  LinearWeights fused{config.hidden, 3 * config.hidden, layer.query.weight, layer.query.bias};
  for (float& w : fused.weight) w *= scale;
  for (float& b : fused.bias) b *= scale;
  for (const LinearWeights* part : {&layer.key, &layer.value}) {
    fused.weight.insert(fused.weight.end(), part->weight.begin(), part->weight.end());
    fused.bias.insert(fused.bias.end(), part->bias.begin(), part->bias.end());
  }
  return fused;
}

PackedNorm pack_norm(LayerNormWeights weights, const EncoderConfig& config) {
  return {std::move(weights), static_cast<float>(config.layer_norm_epsilon)};
}

PackedLayer pack_layer(EncoderLayerWeights layer, const PackedModel& model) {
  const auto packed = [&](const LinearWeights& weights, Destination destination) {
    return pack(weights, model.precision, destination, model.device);
  };
  return {packed(fused_qkv(layer, model.config), Destination::overwritten),
          packed(layer.attention_output, Destination::added),
          pack_norm(std::move(layer.attention_norm), model.config),
          packed(layer.intermediate, Destination::overwritten),
          packed(layer.output, Destination::added),
          pack_norm(std::move(layer.output_norm), model.config)};
}

PackedMemory pack_memory(MemoryWeights memory, const PackedModel& model) {
  PackedMemory result;
  result.config = memory.config;
  for (std::size_t i = 0; i < memory.levels.size(); ++i) {
    result.levels[i].embeddings = std::move(memory.levels[i].embeddings);
    result.levels[i].filters =
        pack(memory.levels[i].filters, model.precision, Destination::overwritten, model.device);
  }
  return result;
}

void add_type_embedding(std::vector<float>& positions, const std::vector<float>& types,
                        std::int64_t hidden) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] += types[i % static_cast<std::size_t>(hidden)];
}

}  // namespace

const PackedMemoryLevel& memory_level(const PackedModel& model, Pooling pooling) {
  const int level = static_cast<int>(pooling) - static_cast<int>(Pooling::level1);
  if (!model.memory) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("this model is a bare encoder: it has no memory layer for level {}; "
                            "make a model of it with `memmatch model init`",
                            level + 1));
  }
  return model.memory->levels.at(static_cast<std::size_t>(level));
}

bool can_be_split(const PackedModel& model) {
  bool all = true;
  for (const PackedLayer& layer : model.layers)
    for (const PackedLinear* linear : {&layer.qkv, &layer.attention_output, &layer.up, &layer.down})
      all = all && linear->column_block > 0;
  if (model.memory)
    for (const PackedMemoryLevel& level : model.memory->levels)
      all = all && level.filters.column_block > 0;
  return all;
}

PackedModel pack_model(ModelWeights weights, Precision precision) {
  EncoderWeights& encoder = weights.encoder;
  check_encoder(encoder);
  if (weights.memory) check_memory(*weights.memory, encoder.config.hidden);
  PackedModel model{};
  model.config = encoder.config;
  model.precision = precision;
  model.device = dnnl::engine(dnnl::engine::kind::cpu, 0);
  model.kernels = &kernels(best_isa());
  model.word_embeddings = std::move(encoder.word_embeddings);
  model.position_embeddings = std::move(encoder.position_embeddings);
  add_type_embedding(model.position_embeddings, encoder.type_embeddings, encoder.config.hidden);
  model.embedding_norm = pack_norm(std::move(encoder.embedding_norm), encoder.config);
  for (EncoderLayerWeights& layer : encoder.layers)
    model.layers.push_back(pack_layer(std::exchange(layer, {}), model));
  if (weights.memory) model.memory = pack_memory(std::move(*weights.memory), model);
  return model;
}

}  // namespace memmatch::engine
