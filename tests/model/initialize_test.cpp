#include "model/initialize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/tiny_model.h"

namespace memmatch {
namespace {

TEST(Random, GivesTheSameNumbersEverywhere) {
  Random random(1776);
  // Computed with another program from the definition of the generator and of the polar method.
  EXPECT_EQ(random.uniform(), 0x1.6878595a9116fp-1);
  EXPECT_EQ(static_cast<float>(random.normal()), 0x1.2de968p-2f);
  EXPECT_EQ(static_cast<float>(random.normal()), 0x1.99923p-2f);
}

TEST(Random, NormalNumbersHaveTheMomentsOfTheNormalDistribution) {
  Random random(3);
  constexpr int kCount = 200'000;
  double sum = 0, squares = 0, fourths = 0;
  int beyond_two = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
    beyond_two += std::abs(x) > 2;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.01);
  EXPECT_NEAR(squares / kCount, 1.0, 0.02);
  EXPECT_NEAR(fourths / kCount, 3.0, 0.1);
  EXPECT_NEAR(static_cast<double>(beyond_two) / kCount, 0.0455, 0.002);
}

TEST(InitializeMemory, FollowsTheReference) {
  const EncoderConfig encoder = {
      .vocabulary = 100, .hidden = 768, .layers = 1, .heads = 12, .intermediate = 8};
  const MemoryConfig config = {
      .vocabulary = 50, .word_dimension = 300, .filters = 100, .lengths = {50, 100, 150}};
  const MemoryWeights memory = initialize_memory(config, encoder, 1776);
  for (const MemoryLevelWeights& level : memory.levels) {
    ASSERT_EQ(level.embeddings.size(), 50u * 300u);
    ASSERT_EQ(level.filters.weight.size(), 100u * 1068u);
    ASSERT_EQ(level.filters.bias.size(), 100u);
    EXPECT_TRUE(std::all_of(level.embeddings.begin(), level.embeddings.begin() + 300,
                            [](float value) { return value == 0; }));
    const auto [low, high] =
        std::minmax_element(level.filters.weight.begin(), level.filters.weight.end());
    EXPECT_NEAR(*low, -0.030600, 1e-5);
    EXPECT_NEAR(*high, 0.030600, 1e-5);
  }
  EXPECT_NE(memory.levels[0].embeddings, memory.levels[1].embeddings);
  EXPECT_NE(memory.levels[1].filters.bias, memory.levels[2].filters.bias);
}

TEST(InitializeMemory, DependsOnTheSeedAlone) {
  const EncoderConfig encoder = test::tiny_encoder_config();
  const MemoryConfig config = {
      .vocabulary = 9, .word_dimension = 4, .filters = 5, .lengths = {6, 12, 18}};
  const auto values = [&](std::uint64_t seed) {
    return initialize_memory(config, encoder, seed).levels[2].filters.weight;
  };
  EXPECT_EQ(values(5), values(5));
  EXPECT_NE(values(5), values(6));
}

}  // namespace
}  // namespace memmatch
