#pragma once

#include <torch/torch.h>

#include <vector>

#include "engine/encoder.h"
#include "engine/packed_batch.h"
#include "model/weights.h"
#include "train/arithmetic.h"
#include "train/noise.h"

// The twin of the engine: the same network as differentiable modules of LibTorch, over the same
// weights and the same packed batches. The engine and the twin agree within 1e-4.

namespace memmatch::train {

struct TwinLayerImpl : torch::nn::Module {
  explicit TwinLayerImpl(const EncoderConfig& config);

  torch::nn::Linear query{nullptr}, key{nullptr}, value{nullptr}, attention_output{nullptr};
  torch::nn::LayerNorm attention_norm{nullptr};
  torch::nn::Linear intermediate{nullptr}, output{nullptr};
  torch::nn::LayerNorm output_norm{nullptr};
};
TORCH_MODULE(TwinLayer);

// A BERT over packed rows.
struct TwinEncoderImpl : torch::nn::Module {
  explicit TwinEncoderImpl(const EncoderConfig& config);

  // The hidden states after the lowest `depth` layers, [tokens][hidden]. `noise`, where given, is
  // the dropout of hidden states and attention weights.
  torch::Tensor forward(const engine::PackedBatch& batch, std::int64_t depth,
                        Noise* noise = nullptr);

  EncoderConfig config;
  Arithmetic arithmetic = Arithmetic::fp32;
  torch::nn::Embedding words{nullptr}, positions{nullptr}, types{nullptr};
  torch::nn::LayerNorm embedding_norm{nullptr};
  std::vector<TwinLayer> layers;
};
TORCH_MODULE(TwinEncoder);

// The memory layer of one level.
struct TwinMemoryImpl : torch::nn::Module {
  TwinMemoryImpl(const MemoryConfig& memory, const EncoderConfig& encoder);

  // g = b + max(0, max over each sequence of W [word embedding ; hidden]), [sequences][filters].
  torch::Tensor forward(const engine::PackedBatch& batch, const torch::Tensor& hidden);

  torch::nn::Embedding embeddings{nullptr};  // row 0, the padding, is zero and stays so
  torch::nn::Linear filters{nullptr};
};
TORCH_MODULE(TwinMemory);

// The mean of each sequence's hidden states, [sequences][hidden].
torch::Tensor mean_of_sequences(const engine::PackedBatch& batch, const torch::Tensor& hidden);

struct TwinImpl : torch::nn::Module {
  explicit TwinImpl(const ModelWeights& weights);

  // [sequences][dimension]. The batch satisfies Engine::check(). Throws Error(invalid_argument) for
  // a level if the model has no memory.
  torch::Tensor forward(const engine::PackedBatch& batch, engine::Pooling pooling,
                        Noise* noise = nullptr);

  // How many of the encoder's layers a level reads through.
  std::int64_t depth(int level) const { return memory_config->depth(level, encoder->config); }

  // The present values as plain arrays, as they are saved and as the engine takes them.
  ModelWeights weights() const;

  TwinEncoder encoder{nullptr};
  std::optional<MemoryConfig> memory_config;
  std::vector<TwinMemory> memory;  // none or one for each level
};
TORCH_MODULE(Twin);

}  // namespace memmatch::train
