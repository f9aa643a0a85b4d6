#include "train/twin.h"

#include "memmatch/error.h"
#include "train/operations.h"

namespace memmatch::train {
namespace {

namespace nn = torch::nn;
using engine::PackedBatch;
using engine::Pooling;

nn::LayerNorm make_norm(const EncoderConfig& config) {
  return nn::LayerNorm(nn::LayerNormOptions({config.hidden}).eps(config.layer_norm_epsilon));
}

// What dropout leaves of x.
torch::Tensor drop(const torch::Tensor& x, Noise* noise) { return noise ? noise->drop(x) : x; }

torch::Tensor attend(const TwinEncoderImpl& encoder, TwinLayerImpl& layer, const torch::Tensor& x,
                     const PackedBatch& batch, Noise* noise) {
  const torch::Tensor weight =
      torch::cat({layer.query->weight, layer.key->weight, layer.value->weight});
  const torch::Tensor bias = torch::cat({layer.query->bias, layer.key->bias, layer.value->bias});
  return attention(affine(x, weight, bias, encoder.arithmetic), batch.offsets, encoder.config.heads,
                   noise);
}

torch::Tensor run_layer(const TwinEncoderImpl& encoder, TwinLayerImpl& layer,
                        const torch::Tensor& x, const PackedBatch& batch, Noise* noise) {
  const auto linear = [&](const nn::Linear& weights, const torch::Tensor& input) {
    return affine(input, weights->weight, weights->bias, encoder.arithmetic);
  };
  const torch::Tensor context =
      linear(layer.attention_output, attend(encoder, layer, x, batch, noise));
  const torch::Tensor attended = layer.attention_norm(x + drop(context, noise));
  const torch::Tensor activated = torch::gelu(linear(layer.intermediate, attended));
  return layer.output_norm(attended + drop(linear(layer.output, activated), noise));
}

torch::Tensor positions_of(const PackedBatch& batch) {
  torch::Tensor positions =
      torch::empty({static_cast<std::int64_t>(batch.tokens.size())}, torch::kInt64);
  auto* out = positions.data_ptr<std::int64_t>();
  for (std::int64_t s = 0; s < batch.sequences(); ++s)
    for (std::int64_t i = 0; i < batch.length(s); ++i) *out++ = i;
  return positions;
}

}  // namespace

torch::Tensor mean_of_sequences(const PackedBatch& batch, const torch::Tensor& hidden) {
  std::vector<torch::Tensor> means;
  for (std::int64_t s = 0; s < batch.sequences(); ++s) {
    const std::int64_t begin = batch.offsets[static_cast<std::size_t>(s)];
    means.push_back(hidden.narrow(0, begin, batch.length(s)).mean(0));
  }
  return torch::stack(means);
}

TwinLayerImpl::TwinLayerImpl(const EncoderConfig& config) {
  const auto linear = [&](const char* name, std::int64_t in, std::int64_t out) {
    return register_module(name, nn::Linear(in, out));
  };
  query = linear("query", config.hidden, config.hidden);
  key = linear("key", config.hidden, config.hidden);
  value = linear("value", config.hidden, config.hidden);
  attention_output = linear("attention_output", config.hidden, config.hidden);
  attention_norm = register_module("attention_norm", make_norm(config));
  intermediate = linear("intermediate", config.hidden, config.intermediate);
  output = linear("output", config.intermediate, config.hidden);
  output_norm = register_module("output_norm", make_norm(config));
}

TwinEncoderImpl::TwinEncoderImpl(const EncoderConfig& encoder_config) : config(encoder_config) {
  words = register_module("words", nn::Embedding(config.vocabulary, config.hidden));
  positions = register_module("positions", nn::Embedding(config.positions, config.hidden));
  types = register_module("types", nn::Embedding(config.token_types, config.hidden));
  embedding_norm = register_module("embedding_norm", make_norm(config));
  for (std::int64_t i = 0; i < config.layers; ++i)
    layers.push_back(register_module("layer" + std::to_string(i), TwinLayer(config)));
}

torch::Tensor TwinEncoderImpl::forward(const PackedBatch& batch, std::int64_t depth, Noise* noise) {
  const torch::Device device = words->weight.device();
  const torch::Tensor tokens = torch::tensor(batch.tokens, torch::kInt64).to(device);
  const torch::Tensor embedded =
      words(tokens) + positions(positions_of(batch).to(device)) + types->weight.select(0, 0);
  torch::Tensor x = drop(embedding_norm(embedded), noise);
  for (std::int64_t i = 0; i < depth; ++i)
    x = run_layer(*this, *layers[static_cast<std::size_t>(i)], x, batch, noise);
  return x;
}

TwinMemoryImpl::TwinMemoryImpl(const MemoryConfig& memory, const EncoderConfig& encoder) {
  embeddings = register_module(
      "embeddings",
      nn::Embedding(nn::EmbeddingOptions(memory.vocabulary, memory.word_dimension).padding_idx(0)));
  filters = register_module("filters",
                            nn::Linear(memory.word_dimension + encoder.hidden, memory.filters));
}

torch::Tensor TwinMemoryImpl::forward(const PackedBatch& batch, const torch::Tensor& hidden) {
  const torch::Tensor ids = torch::tensor(batch.words, torch::kInt64);
  const torch::Tensor words = embeddings(ids.to(hidden.device()));
  const torch::Tensor filtered = product(torch::cat({words, hidden}, 1), filters->weight);
  return filters->bias + positive_maximum(filtered, batch.offsets);
}

torch::Tensor TwinImpl::forward(const PackedBatch& batch, Pooling pooling, Noise* noise) {
  if (pooling == Pooling::mean)
    return mean_of_sequences(batch, encoder(batch, encoder->config.layers, noise));
  const auto level = static_cast<std::size_t>(pooling) - static_cast<std::size_t>(Pooling::level1);
  if (level >= memory.size()) {
    throw Error(ErrorKind::invalid_argument,
                "this model is a bare encoder: it has no memory layer for level " +
                    std::to_string(level + 1));
  }
  const torch::Tensor hidden = encoder(batch, depth(static_cast<int>(level) + 1), noise);
  return memory[level](batch, hidden);
}

}  // namespace memmatch::train
