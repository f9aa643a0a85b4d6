#include "train/twin.h"

#include <gtest/gtest.h>

#include "engine/models.h"

namespace memmatch::train {
namespace {

using engine::Engine;
using engine::PackedBatch;
using engine::Pooling;
using engine::Precision;

struct LevelBatch {
  Pooling pooling;
  PackedBatch batch;
};

// Sequences up to the longest of each level.
std::vector<LevelBatch> batches_for(const ModelWeights& model) {
  using test::random_batch;
  return {{Pooling::mean, random_batch(model, {4, 31, 16, 52}, 1)},
          {Pooling::level1, random_batch(model, {2, 52, 23, 24}, 2)},
          {Pooling::level2, random_batch(model, {102, 40, 71}, 3)},
          {Pooling::level3, random_batch(model, {152, 20, 99, 130}, 4)}};
}

torch::Tensor by_engine(const Engine& engine, const PackedBatch& batch, Pooling pooling) {
  torch::Tensor vectors = torch::empty({batch.sequences(), engine.dimension(pooling)});
  engine::Worker(engine).encode(
      batch, pooling,
      std::span(vectors.data_ptr<float>(), static_cast<std::size_t>(vectors.numel())));
  return vectors;
}

void expect_agreement(const ModelWeights& model) {
  const torch::NoGradGuard no_grad;
  const Engine engine(model, Precision::fp32);
  Twin twin(model);
  for (const auto& [pooling, batch] : batches_for(model)) {
    const torch::Tensor expected = twin(batch, pooling);
    const torch::Tensor vectors = by_engine(engine, batch, pooling);
    ASSERT_EQ(vectors.sizes(), expected.sizes());
    EXPECT_LT((vectors - expected).abs().max().item<float>(), 1e-4f)
        << "pooling " << static_cast<int>(pooling);
  }
}

TEST(TwinTest, AgreesWithTheEngineOnATinyBert) { expect_agreement(test::tiny_model()); }

TEST(TwinTest, AgreesWithTheEngineInTheShapesOfBertBase) {
  expect_agreement(test::bert_base_shaped_model());
}

TEST(TwinTest, AgreesWithTheEngineOnMiniLM) {
  if (!exists(test::minilm_folder())) GTEST_SKIP() << "no encoder at " << test::minilm_folder();
  ModelWeights model = load_model(test::minilm_folder()).weights;
  model.memory = initialize_memory({}, model.encoder.config, 1);
  expect_agreement(model);
}

TEST(TwinTest, AgreesWithTheEngineWhereLevelsReadFewerLayers) {
  ModelWeights model = test::tiny_model();
  model.memory->config.layers = {1, 2, 0};
  expect_agreement(model);
}

TEST(TwinTest, GivesItsWeightsBack) {
  const ModelWeights model = test::tiny_model();
  const ModelWeights back = Twin(model)->weights();
  EXPECT_TRUE(back.encoder.word_embeddings == model.encoder.word_embeddings);
  EXPECT_TRUE(back.encoder.layers.at(2).output.weight == model.encoder.layers.at(2).output.weight);
  EXPECT_EQ(back.encoder.layers.at(2).output.in, model.encoder.config.intermediate);
  EXPECT_TRUE(back.memory->levels[1].filters.weight == model.memory->levels[1].filters.weight);
  EXPECT_TRUE(back.memory->levels[2].embeddings == model.memory->levels[2].embeddings);
  const PackedBatch batch = test::random_batch(model, {9, 30}, 3);
  EXPECT_TRUE(torch::equal(by_engine(Engine(back, Precision::fp32), batch, Pooling::level3),
                           by_engine(Engine(model, Precision::fp32), batch, Pooling::level3)));
}

// Moves one weight a little and looks whether the output follows its gradient.
void expect_gradient(Twin& twin, torch::Tensor weight, const PackedBatch& batch,
                     std::int64_t element) {
  const auto output = [&] { return twin(batch, Pooling::level2).to(torch::kFloat64).sum(); };
  twin->zero_grad();
  output().backward();
  const double gradient = weight.grad().view(-1)[element].item<double>();
  const torch::NoGradGuard no_grad;
  const float step = 2e-3f;
  weight.view(-1)[element] += step;
  const double above = output().item<double>();
  weight.view(-1)[element] -= 2 * step;
  const double below = output().item<double>();
  weight.view(-1)[element] += step;
  EXPECT_NEAR((above - below) / (2 * step), gradient, 0.02 * std::abs(gradient) + 0.02);
}

TEST(TwinTest, HasTheGradientsOfItsOutputs) {
  const ModelWeights model = test::tiny_model();
  Twin twin(model);
  const PackedBatch batch = test::random_batch(model, {12, 7}, 3);
  expect_gradient(twin, twin->memory[1]->filters->weight, batch, 100);
  expect_gradient(twin, twin->encoder->layers[0]->query->weight, batch, 77);
  expect_gradient(twin, twin->encoder->layers[2]->output->weight, batch, 5);
  expect_gradient(twin, twin->encoder->embedding_norm->weight, batch, 11);
}

TEST(TwinTest, TheEmbeddingOfPaddingStaysZero) {
  const ModelWeights model = test::tiny_model();
  Twin twin(model);
  twin(test::random_batch(model, {12, 7}, 3), Pooling::level1).pow(2).sum().backward();
  const torch::Tensor gradient = twin->memory[0]->embeddings->weight.grad();
  EXPECT_EQ(gradient[0].abs().sum().item<float>(), 0.0f);
  EXPECT_GT(gradient.abs().sum().item<float>(), 0.0f);
}

TEST(TwinTest, DropoutComesFromItsSeed) {
  const ModelWeights model = test::tiny_model();
  Twin twin(model);
  const PackedBatch batch = test::random_batch(model, {12, 7}, 3);
  const auto with_noise = [&](std::uint64_t seed) {
    Noise noise(seed, 0.1);
    return twin(batch, Pooling::level1, &noise);
  };
  EXPECT_TRUE(torch::equal(twin(batch, Pooling::level1), twin(batch, Pooling::level1)));
  EXPECT_TRUE(torch::equal(with_noise(1), with_noise(1)));
  EXPECT_FALSE(torch::equal(with_noise(1), with_noise(2)));
  EXPECT_FALSE(torch::equal(with_noise(1), twin(batch, Pooling::level1)));
}

}  // namespace
}  // namespace memmatch::train
