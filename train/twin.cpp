#include "train/twin.h"

#include <algorithm>
#include <cmath>

#include "memmatch/error.h"
#include "train/padding.h"

namespace memmatch::train {
namespace {

namespace nn = torch::nn;
using engine::PackedBatch;
using engine::Pooling;

nn::LayerNorm make_norm(const EncoderConfig& config) {
  return nn::LayerNorm(nn::LayerNormOptions({config.hidden}).eps(config.layer_norm_epsilon));
}

// [rows][hidden] to [sequences][heads][longest][head size].
torch::Tensor split_heads(const torch::Tensor& rows, const Padding& padding, std::int64_t heads) {
  return padding.pad(rows)
      .view({padding.sequences(), padding.longest(), heads, rows.size(1) / heads})
      .transpose(1, 2);
}

torch::Tensor attend(TwinLayerImpl& layer, const torch::Tensor& x, const Padding& padding,
                     std::int64_t heads) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(x.size(1) / heads));
  const torch::Tensor queries = split_heads(layer.query(x) * scale, padding, heads);
  const torch::Tensor keys = split_heads(layer.key(x), padding, heads);
  const torch::Tensor values = split_heads(layer.value(x), padding, heads);
  const torch::Tensor scores =
      torch::matmul(queries, keys.transpose(2, 3)) + padding.attention_mask();
  const torch::Tensor weights = layer.dropout(torch::softmax(scores, -1));
  const torch::Tensor context = torch::matmul(weights, values).transpose(1, 2);
  return padding.unpad(context.reshape({-1, x.size(1)}));
}

torch::Tensor run_layer(TwinLayerImpl& layer, const torch::Tensor& x, const Padding& padding,
                        std::int64_t heads) {
  const torch::Tensor context = attend(layer, x, padding, heads);
  const torch::Tensor attended =
      layer.attention_norm(x + layer.dropout(layer.attention_output(context)));
  const torch::Tensor activated = torch::gelu(layer.intermediate(attended));
  return layer.output_norm(attended + layer.dropout(layer.output(activated)));
}

torch::Tensor positions_of(const PackedBatch& batch) {
  torch::Tensor positions =
      torch::empty({static_cast<std::int64_t>(batch.tokens.size())}, torch::kInt64);
  auto* out = positions.data_ptr<std::int64_t>();
  for (std::int64_t s = 0; s < batch.sequences(); ++s)
    for (std::int64_t i = 0; i < batch.length(s); ++i) *out++ = i;
  return positions;
}

torch::Tensor mean_of_sequences(const PackedBatch& batch, const torch::Tensor& hidden) {
  const Padding padding(batch);
  std::vector<float> lengths;
  for (std::int64_t s = 0; s < batch.sequences(); ++s)
    lengths.push_back(static_cast<float>(batch.length(s)));
  const torch::Tensor sums =
      padding.pad(hidden).view({padding.sequences(), padding.longest(), hidden.size(1)}).sum(1);
  return sums / torch::tensor(lengths).unsqueeze(1);
}

}  // namespace

TwinLayerImpl::TwinLayerImpl(const EncoderConfig& config, const TwinOptions& options) {
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
  dropout = register_module("dropout", nn::Dropout(options.dropout));
}

TwinEncoderImpl::TwinEncoderImpl(const EncoderConfig& encoder_config, const TwinOptions& options)
    : config(encoder_config) {
  words = register_module("words", nn::Embedding(config.vocabulary, config.hidden));
  positions = register_module("positions", nn::Embedding(config.positions, config.hidden));
  types = register_module("types", nn::Embedding(config.token_types, config.hidden));
  embedding_norm = register_module("embedding_norm", make_norm(config));
  dropout = register_module("dropout", nn::Dropout(options.dropout));
  for (std::int64_t i = 0; i < config.layers; ++i)
    layers.push_back(register_module("layer" + std::to_string(i), TwinLayer(config, options)));
}

torch::Tensor TwinEncoderImpl::forward(const PackedBatch& batch) {
  const Padding padding(batch);
  const torch::Tensor tokens = torch::tensor(batch.tokens, torch::kInt64);
  const torch::Tensor embedded =
      words(tokens) + positions(positions_of(batch)) + types->weight.select(0, 0);
  torch::Tensor x = dropout(embedding_norm(embedded));
  for (TwinLayer& layer : layers) x = run_layer(*layer, x, padding, config.heads);
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
  const torch::Tensor words = embeddings(torch::tensor(batch.words, torch::kInt64));
  const torch::Tensor filtered = torch::matmul(torch::cat({words, hidden}, 1), filters->weight.t());
  // Rows of padding are zero here, which is what they count as (reference §3.2).
  const Padding padding(batch);
  const torch::Tensor padded =
      padding.pad(filtered).view({padding.sequences(), padding.longest(), filtered.size(1)});
  return filters->bias + torch::relu(std::get<0>(padded.max(1)));
}

torch::Tensor TwinImpl::forward(const PackedBatch& batch, Pooling pooling) {
  const torch::Tensor hidden = encoder(batch);
  if (pooling == Pooling::mean) return mean_of_sequences(batch, hidden);
  const auto level = static_cast<std::size_t>(pooling) - static_cast<std::size_t>(Pooling::level1);
  if (level >= memory.size()) {
    throw Error(ErrorKind::invalid_argument,
                "this model is a bare encoder: it has no memory layer for level " +
                    std::to_string(level + 1));
  }
  return memory[level](batch, hidden);
}

}  // namespace memmatch::train
