#include <algorithm>

#include "train/twin.h"

// The way from plain arrays to modules and back. `Direction` is one of two functions that move one
// array, so that both ways name every parameter in the one list that follows.

namespace memmatch::train {
namespace {

void to_module(const std::vector<float>& values, torch::Tensor& parameter) {
  const torch::NoGradGuard no_grad;
  TORCH_INTERNAL_ASSERT(static_cast<std::int64_t>(values.size()) == parameter.numel());
  std::copy(values.begin(), values.end(), parameter.data_ptr<float>());
}

void to_array(std::vector<float>& values, const torch::Tensor& parameter) {
  const torch::Tensor plain = parameter.detach().cpu().contiguous();
  const auto* data = plain.data_ptr<float>();
  values.assign(data, data + plain.numel());
}

struct ToModule {
  void operator()(const std::vector<float>& values, torch::Tensor& parameter) const {
    to_module(values, parameter);
  }
  void shape(const LinearWeights&, const torch::nn::Linear&) const {}
};

struct ToArrays {
  void operator()(std::vector<float>& values, torch::Tensor& parameter) const {
    to_array(values, parameter);
  }
  void shape(LinearWeights& weights, const torch::nn::Linear& linear) const {
    weights.in = linear->weight.size(1);
    weights.out = linear->weight.size(0);
  }
};

template <typename Move, typename Weights>
void move_linear(const Move& move, Weights& weights, torch::nn::Linear& linear) {
  move.shape(weights, linear);
  move(weights.weight, linear->weight);
  move(weights.bias, linear->bias);
}

template <typename Move, typename Weights>
void move_norm(const Move& move, Weights& weights, torch::nn::LayerNorm& norm) {
  move(weights.weight, norm->weight);
  move(weights.bias, norm->bias);
}

template <typename Move, typename Weights>
void move_encoder(const Move& move, Weights& weights, TwinEncoderImpl& encoder) {
  move(weights.word_embeddings, encoder.words->weight);
  move(weights.position_embeddings, encoder.positions->weight);
  move(weights.type_embeddings, encoder.types->weight);
  move_norm(move, weights.embedding_norm, encoder.embedding_norm);
  for (std::size_t i = 0; i < encoder.layers.size(); ++i) {
    auto& from = weights.layers.at(i);
    TwinLayerImpl& layer = *encoder.layers[i];
    move_linear(move, from.query, layer.query);
    move_linear(move, from.key, layer.key);
    move_linear(move, from.value, layer.value);
    move_linear(move, from.attention_output, layer.attention_output);
    move_norm(move, from.attention_norm, layer.attention_norm);
    move_linear(move, from.intermediate, layer.intermediate);
    move_linear(move, from.output, layer.output);
    move_norm(move, from.output_norm, layer.output_norm);
  }
}

template <typename Move, typename Weights>
void move_memory(const Move& move, Weights& weights, TwinMemoryImpl& memory) {
  move(weights.embeddings, memory.embeddings->weight);
  move_linear(move, weights.filters, memory.filters);
}

}  // namespace

TwinImpl::TwinImpl(const ModelWeights& weights) {
  encoder = register_module("encoder", TwinEncoder(weights.encoder.config));
  move_encoder(ToModule{}, weights.encoder, *encoder);
  if (weights.memory) {
    memory_config = weights.memory->config;
    for (std::size_t i = 0; i < weights.memory->levels.size(); ++i) {
      const auto& level = weights.memory->levels[i];
      memory.push_back(register_module("level" + std::to_string(i + 1),
                                       TwinMemory(*memory_config, encoder->config)));
      move_memory(ToModule{}, level, *memory.back());
      const torch::NoGradGuard no_grad;
      memory.back()->embeddings->weight.select(0, 0).zero_();
    }
  }
}

ModelWeights TwinImpl::weights() const {
  ModelWeights result;
  result.encoder.config = encoder->config;
  result.encoder.layers.resize(encoder->layers.size());
  TwinEncoder source = encoder;  // a handle to the same module
  move_encoder(ToArrays{}, result.encoder, *source);
  if (memory_config) {
    result.memory.emplace();
    result.memory->config = *memory_config;
    for (std::size_t i = 0; i < memory.size(); ++i) {
      TwinMemory level = memory[i];
      move_memory(ToArrays{}, result.memory->levels.at(i), *level);
    }
  }
  return result;
}

}  // namespace memmatch::train
