#include "model/initialize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "memmatch/error.h"
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

class MatchWordsTest : public testing::Test {
 protected:
  // What the filters answer to a piece.
  std::vector<double> answers(std::int64_t id) const {
    std::vector<double> result;
    for (std::int64_t filter = 0; filter < config_.filters; ++filter) {
      double sum = 0;
      for (std::int64_t i = 0; i < config_.word_dimension; ++i)
        sum += level_.embeddings[static_cast<std::size_t>(id * config_.word_dimension + i)] *
               level_.filters.weight[static_cast<std::size_t>(filter * level_.filters.in + i)];
      result.push_back(sum);
    }
    return result;
  }

  // Pooled as the encoder's states would be that have no part in it.
  std::vector<double> vector_of(std::initializer_list<std::int64_t> ids) const {
    std::vector<double> pooled(static_cast<std::size_t>(config_.filters), 0);
    for (const std::int64_t id : ids) {
      const std::vector<double> some = answers(id);
      for (std::size_t i = 0; i < pooled.size(); ++i) pooled[i] = std::max(pooled[i], some[i]);
    }
    return pooled;
  }

  static double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  }

  static constexpr std::int64_t kEverywhere = 2, kFrequent = 3, kRare = 4, kOther = 5;
  const MemoryVocabulary vocabulary_{{{"the", 1000}, {"film", 300}, {"otter", 2}, {"heron", 2}}};
  const MemoryConfig config_{
      .vocabulary = 6, .word_dimension = 50, .filters = 2000, .lengths = {50, 100, 150}};
  const EncoderConfig encoder_ = {
      .vocabulary = 100, .hidden = 24, .layers = 1, .heads = 2, .intermediate = 8};
  const MemoryLevelWeights level_ = match_words(vocabulary_, config_, encoder_, 1000, 7);
};

TEST_F(MatchWordsTest, FewFiltersAnswerToAPieceAndStrongerToARareOne) {
  const auto share = [&](std::int64_t id) {
    const std::vector<double> values = answers(id);
    return static_cast<double>(std::count_if(values.begin(), values.end(),
                                             [](double value) { return value > 0; })) /
           static_cast<double>(values.size());
  };
  EXPECT_NEAR(share(kRare), 0.0228, 0.02);
  EXPECT_NEAR(share(kFrequent), 0.0228, 0.02);
  EXPECT_EQ(share(kEverywhere), 0);
  EXPECT_EQ(share(MemoryVocabulary::kPadding), 0);
  EXPECT_GT(share(MemoryVocabulary::kUnknown), 0);
  const std::vector<double> none = vector_of({});
  EXPECT_GT(distance(vector_of({kRare}), none), 1.5 * distance(vector_of({kFrequent}), none));
}

TEST_F(MatchWordsTest, ASharedRarePieceIsNearerThanASharedFrequentOne) {
  const std::vector<double> query = vector_of({kEverywhere, kFrequent, kRare});
  EXPECT_LT(distance(query, vector_of({kEverywhere, kRare})),
            distance(query, vector_of({kEverywhere, kFrequent, kOther})));
}

TEST_F(MatchWordsTest, TheEncoderHasNoPartInItYet) {
  for (std::size_t i = 0; i < level_.filters.weight.size(); ++i) {
    const std::size_t column = i % static_cast<std::size_t>(level_.filters.in);
    ASSERT_TRUE(column < 50 || level_.filters.weight[i] == 0) << column;
  }
  EXPECT_EQ(level_.filters.in, 50 + 24);
  MemoryConfig narrow = config_;
  narrow.word_dimension = 1;
  EXPECT_THROW(match_words(vocabulary_, narrow, encoder_, 1000, 7), Error);
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
