#include "engine/pooling.h"

#include <gtest/gtest.h>

#include "engine/single_thread.h"

namespace memmatch::engine {
namespace {

// T4: one dimension of word embedding and two of hidden state.
struct T4 {
  MemoryConfig config{.vocabulary = 5, .word_dimension = 1, .filters = 2, .lengths = {}};
  dnnl::engine device{dnnl::engine::kind::cpu, 0};
  const Kernels& table = kernels(best_isa());
  PackedMemoryLevel level;
  PackedBatch batch;
  Group group;
  Buffer<float> hidden{512};

  T4(Precision precision, std::vector<float> bias) {
    const SingleThread single;
    level.embeddings = {0, 1, 2, 0, -1};
    level.filters = pack({3, 2, {0.5f, -1, 2, -1, 0, -0.5f}, std::move(bias)}, precision,
                         Destination::overwritten, device);
    // [CLS] A B [SEP], then [CLS] [0,1,0] [-1,0,0] [SEP]; word 3 has the embedding 0.
    batch.add(std::vector{0, 0, 0, 0}, std::vector{0, 1, 2, 0});
    batch.add(std::vector{0, 0, 0, 0}, std::vector{0, 3, 4, 0});
    const float rows[] = {0.2f, 0.1f, 0, 0.5f, 1, 0, -0.3f, 0.4f,
                          0.2f, 0.1f, 1, 0,    0, 0, -0.3f, 0.4f};
    std::copy(std::begin(rows), std::end(rows), hidden.data());
    group.members = {{0, 0, 0, 4}, {1, 4, 4, 4}};
    group.rows = 8;
    group.padded_rows = row_blocks(precision).padded(8);
  }

  std::vector<float> vectors(Precision precision, std::span<std::int32_t> positions = {}) {
    const SingleThread single;
    const auto products = make_products(precision, {3, 3}, table);
    MemoryPooling pooling(config, 2, precision, table);
    std::vector<float> g(4);
    Hand hand = make_hand(precision, {3, 3}, 0, device);
    Team alone(hand);
    pooling.pool(level, batch, group, hidden.data(), *products, alone, g, positions);
    return g;
  }
};

void expect_near(const std::vector<float>& actual, const std::vector<float>& expected,
                 float tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

TEST(MemoryPoolingTest, GivesTheReferencesNumbers) {
  const std::vector<float> g = T4(Precision::fp32, {0.25f, -0.75f}).vectors(Precision::fp32);
  expect_near(g, {1.75f, -0.75f, 1.35f, 0.25f}, 1e-6f);
}

TEST(MemoryPoolingTest, TracedVectorsAreTheSameAndSayWhichTokenGaveThem) {
  T4 t4(Precision::fp32, {0.25f, -0.75f});
  const std::vector<float> plain = t4.vectors(Precision::fp32);
  std::vector<std::int32_t> positions(4, 99);
  EXPECT_EQ(t4.vectors(Precision::fp32, positions), plain);
  // A; none above the bias; [SEP]; the second token.
  EXPECT_EQ(positions, (std::vector<std::int32_t>{1, -1, 3, 2}));
}

TEST(MemoryPoolingTest, BiasCancelsInDifferences) {
  const std::vector<float> g = T4(Precision::fp32, {5.0f, -3.0f}).vectors(Precision::fp32);
  EXPECT_NEAR(g[0] - g[2], 0.4f, 1e-5f);
  EXPECT_NEAR(g[1] - g[3], -1.0f, 1e-5f);
}

TEST(MemoryPoolingTest, StaysCloseInInt8) {
  const std::vector<float> g = T4(Precision::int8, {0.25f, -0.75f}).vectors(Precision::int8);
  expect_near(g, {1.75f, -0.75f, 1.35f, 0.25f}, 0.03f);
}

TEST(MemoryPoolingTest, WordZeroIsZeroWhateverTheTableSays) {
  T4 t4(Precision::fp32, {0.25f, -0.75f});
  t4.level.embeddings[0] = 100.0f;
  expect_near(t4.vectors(Precision::fp32), {1.75f, -0.75f, 1.35f, 0.25f}, 1e-6f);
}

TEST(MeanPoolingTest, IsTheMeanOverEachSequence) {
  Group group;
  group.members = {{1, 0, 0, 2}, {0, 2, 2, 1}};
  const float hidden[] = {1, 2, 3, 6, -5, 7};
  std::vector<float> vectors(4);
  pool_mean(group, hidden, 2, kernels(best_isa()), vectors);
  EXPECT_EQ(vectors, (std::vector<float>{-5, 7, 2, 4}));
}

}  // namespace
}  // namespace memmatch::engine
