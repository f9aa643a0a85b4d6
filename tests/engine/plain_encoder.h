#pragma once

#include <cmath>
#include <vector>

#include "engine/encoder.h"
#include "model/weights.h"

// The network once more, in double precision and written for reading: what the engine is held to.

namespace memmatch::test {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

inline Row multiplied(const LinearWeights& linear, const Row& x) {
  Row y(static_cast<std::size_t>(linear.out));
  for (std::size_t o = 0; o < y.size(); ++o) {
    y[o] = linear.bias[o];
    for (std::size_t i = 0; i < x.size(); ++i)
      y[o] += double{linear.weight[o * x.size() + i]} * x[i];
  }
  return y;
}

inline Row sum_of(const Row& a, const Row& b) {
  Row c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] + b[i];
  return c;
}

inline Row normalized(const Row& x, const LayerNormWeights& norm, double epsilon) {
  double mean = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  double variance = 0;
  for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
  Row y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = (x[i] - mean) / std::sqrt(variance + epsilon) * double{norm.weight[i]} + norm.bias[i];
  return y;
}

inline double gelu(double x) { return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0))); }

// The context of one query, over all keys and values.
inline Row attend(const Row& query, const Rows& keys, const Rows& values, std::size_t heads) {
  const std::size_t size = query.size() / heads;
  Row context(query.size());
  for (std::size_t h = 0; h < heads; ++h) {
    Row weights(keys.size());
    double total = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      double score = 0;
      for (std::size_t i = h * size; i < (h + 1) * size; ++i) score += query[i] * keys[k][i];
      weights[k] = std::exp(score / std::sqrt(static_cast<double>(size)));
      total += weights[k];
    }
    for (std::size_t k = 0; k < keys.size(); ++k)
      for (std::size_t i = h * size; i < (h + 1) * size; ++i)
        context[i] += weights[k] / total * values[k][i];
  }
  return context;
}

inline Rows run_layer(const EncoderLayerWeights& layer, const EncoderConfig& config,
                      const Rows& x) {
  Rows queries, keys, values, result;
  for (const Row& row : x) {
    queries.push_back(multiplied(layer.query, row));
    keys.push_back(multiplied(layer.key, row));
    values.push_back(multiplied(layer.value, row));
  }
  for (std::size_t t = 0; t < x.size(); ++t) {
    const Row context = attend(queries[t], keys, values, static_cast<std::size_t>(config.heads));
    const Row attended = normalized(sum_of(x[t], multiplied(layer.attention_output, context)),
                                    layer.attention_norm, config.layer_norm_epsilon);
    Row inner = multiplied(layer.intermediate, attended);
    for (double& v : inner) v = gelu(v);
    result.push_back(normalized(sum_of(attended, multiplied(layer.output, inner)),
                                layer.output_norm, config.layer_norm_epsilon));
  }
  return result;
}

inline Row table_row(const std::vector<float>& table, std::int64_t index, std::int64_t width) {
  const auto first = table.begin() + index * width;
  return {first, first + width};
}

// The vector of the only sequence of `batch`.
inline Row plain_encode(const ModelWeights& model, const engine::PackedBatch& batch,
                        engine::Pooling pooling) {
  const EncoderWeights& encoder = model.encoder;
  const std::int64_t width = encoder.config.hidden;
  Rows x;
  for (std::size_t t = 0; t < batch.tokens.size(); ++t) {
    const Row word = table_row(encoder.word_embeddings, batch.tokens[t], width);
    const Row position =
        table_row(encoder.position_embeddings, static_cast<std::int64_t>(t), width);
    const Row type = table_row(encoder.type_embeddings, 0, width);
    x.push_back(normalized(sum_of(sum_of(word, position), type), encoder.embedding_norm,
                           encoder.config.layer_norm_epsilon));
  }
  for (const EncoderLayerWeights& layer : encoder.layers) x = run_layer(layer, encoder.config, x);
  if (pooling == engine::Pooling::mean) {
    Row mean(static_cast<std::size_t>(width));
    for (const Row& row : x) mean = sum_of(mean, row);
    for (double& v : mean) v /= static_cast<double>(x.size());
    return mean;
  }
  const auto index =
      static_cast<std::size_t>(pooling) - static_cast<std::size_t>(engine::Pooling::level1);
  const MemoryLevelWeights& level = model.memory->levels.at(index);
  Row g(level.filters.bias.begin(), level.filters.bias.end());
  for (std::size_t t = 0; t < x.size(); ++t) {
    Row input = table_row(level.embeddings, batch.words[t], model.memory->config.word_dimension);
    input.insert(input.end(), x[t].begin(), x[t].end());
    const Row h = multiplied(level.filters, input);
    for (std::size_t m = 0; m < g.size(); ++m) g[m] = std::max(g[m], h[m]);
  }
  return g;
}

}  // namespace memmatch::test
