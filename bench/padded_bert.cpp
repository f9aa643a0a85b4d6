#include "padded_bert.h"

#include <cmath>

namespace memmatch::bench {
namespace {

torch::Tensor padded(const std::vector<std::int32_t>& ids, const engine::PackedBatch& batch,
                     std::int64_t first, std::int64_t count, std::int64_t length) {
  torch::Tensor result = torch::zeros({count, length}, torch::kInt64);
  auto rows = result.accessor<std::int64_t, 2>();
  for (std::int64_t s = 0; s < count; ++s) {
    const std::int64_t begin = batch.offsets[static_cast<std::size_t>(first + s)];
    for (std::int64_t i = 0; i < batch.length(first + s); ++i)
      rows[s][i] = ids[static_cast<std::size_t>(begin + i)];
  }
  return result;
}

// 1 for tokens, 0 for padding.
torch::Tensor mask_of(const engine::PackedBatch& batch, std::int64_t first, std::int64_t count,
                      std::int64_t length) {
  torch::Tensor mask = torch::zeros({count, length});
  for (std::int64_t s = 0; s < count; ++s) mask[s].slice(0, 0, batch.length(first + s)).fill_(1);
  return mask;
}

torch::Tensor split_heads(const torch::Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).permute({0, 2, 1, 3});
}

}  // namespace

torch::Tensor PaddedBert::drop(const torch::Tensor& x) const {
  return torch::dropout(x, dropout_, dropout_ > 0);
}

torch::Tensor PaddedBert::attend(train::TwinLayerImpl& layer, const torch::Tensor& x,
                                 const torch::Tensor& additive_mask) {
  const std::int64_t heads = twin_->encoder->config.heads;
  const torch::Tensor queries = split_heads(layer.query(x), heads);
  const torch::Tensor keys = split_heads(layer.key(x), heads);
  const torch::Tensor values = split_heads(layer.value(x), heads);
  torch::Tensor scores = torch::matmul(queries, keys.transpose(-1, -2));
  scores = scores / std::sqrt(static_cast<double>(x.size(2) / heads)) + additive_mask;
  const torch::Tensor context = torch::matmul(drop(torch::softmax(scores, -1)), values);
  return context.permute({0, 2, 1, 3}).contiguous().view(x.sizes());
}

torch::Tensor PaddedBert::hidden_states(const torch::Tensor& tokens, const torch::Tensor& mask) {
  train::TwinEncoderImpl& encoder = *twin_->encoder;
  const torch::Tensor positions = torch::arange(tokens.size(1));
  torch::Tensor x = encoder.words(tokens) + encoder.positions(positions) +
                    encoder.types(torch::zeros_like(tokens));
  x = drop(encoder.embedding_norm(x));
  const torch::Tensor additive = (1.0 - mask).unsqueeze(1).unsqueeze(1) * -10000.0;
  for (train::TwinLayer& layer : encoder.layers) {
    const torch::Tensor context = attend(*layer, x, additive);
    x = layer->attention_norm(drop(layer->attention_output(context)) + x);
    x = layer->output_norm(drop(layer->output(torch::gelu(layer->intermediate(x)))) + x);
  }
  return x * mask.unsqueeze(2);
}

torch::Tensor PaddedBert::encode(const engine::PackedBatch& batch, std::int64_t first,
                                 std::int64_t count, std::int64_t length, int level) {
  const torch::Tensor tokens = padded(batch.tokens, batch, first, count, length);
  const torch::Tensor words = padded(batch.words, batch, first, count, length);
  const torch::Tensor x = hidden_states(tokens, mask_of(batch, first, count, length));
  train::TwinMemory& memory = twin_->memory.at(static_cast<std::size_t>(level - 1));
  const torch::Tensor filtered = memory->filters(torch::cat({memory->embeddings(words), x}, 2));
  return torch::maximum(std::get<0>(filtered.max(1)), memory->filters->bias);
}

}  // namespace memmatch::bench
