#include "engine/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "engine/models.h"
#include "engine/plain_encoder.h"
#include "engine/pool.h"

namespace memmatch::engine {
namespace {

using test::alone;
using test::error_of;
using test::random_batch;

const Pooling kPoolings[] = {Pooling::mean, Pooling::level1, Pooling::level2, Pooling::level3};

std::vector<float> room_for(const Engine& engine, const PackedBatch& batch, Pooling pooling) {
  return std::vector<float>(
      static_cast<std::size_t>(batch.sequences() * engine.dimension(pooling)));
}

std::vector<float> encoded(const Engine& engine, const PackedBatch& batch, Pooling pooling,
                           int workers = 1) {
  std::vector<float> vectors = room_for(engine, batch, pooling);
  WorkerPool pool(engine, workers);
  pool.encode(batch, pooling, vectors);
  return vectors;
}

void expect_like_plain(const ModelWeights& model, std::int64_t length, double tolerance) {
  const Engine engine(model, Precision::fp32);
  const PackedBatch batch = random_batch(model, {length}, 5);
  for (const Pooling pooling : kPoolings) {
    const std::vector<float> vector = encoded(engine, batch, pooling);
    const test::Row expected = test::plain_encode(model, batch, pooling);
    ASSERT_EQ(vector.size(), expected.size());
    for (std::size_t i = 0; i < vector.size(); ++i)
      ASSERT_NEAR(vector[i], expected[i], tolerance) << "element " << i;
  }
}

TEST(EncoderTest, IsTheNetworkOfTheReference) {
  for (const std::int64_t length : {1, 2, 17, 52, 102, 152})
    expect_like_plain(test::tiny_model(), length, 2e-5);
}

TEST(EncoderTest, IsTheNetworkOfTheReferenceInRealShapes) {
  expect_like_plain(test::minilm_shaped_model(), 23, 2e-5);
  expect_like_plain(test::bert_base_shaped_model(), 9, 2e-5);
}

TEST(EncoderTest, Int8StaysCloseToFp32) {
  const ModelWeights model = test::minilm_shaped_model();
  const PackedBatch batch = random_batch(model, {5, 52, 31, 102}, 9);
  for (const Pooling pooling : kPoolings) {
    const std::vector<float> exact = encoded(Engine(model, Precision::fp32), batch, pooling);
    const std::vector<float> bytes = encoded(Engine(model, Precision::int8), batch, pooling);
    const double dot = std::inner_product(exact.begin(), exact.end(), bytes.begin(), 0.0);
    const double a = std::inner_product(exact.begin(), exact.end(), exact.begin(), 0.0);
    const double b = std::inner_product(bytes.begin(), bytes.end(), bytes.begin(), 0.0);
    EXPECT_GT(dot / std::sqrt(a * b), 0.998);
  }
}

class IndependenceTest : public testing::TestWithParam<Precision> {
 protected:
  // Sequences of all kinds of lengths, more than fit through the layers together.
  static std::vector<std::int64_t> lengths() {
    std::vector<std::int64_t> lengths = {1, 152, 2, 52, 16, 17, 102, 3, 33, 48, 49, 64, 96};
    for (std::int64_t i = 1; i < 20; ++i) lengths.push_back(i * 5);
    return lengths;
  }

  // Each sequence alone, by a worker of its own.
  static std::vector<float> one_by_one(const Engine& engine, const PackedBatch& batch,
                                       Pooling pooling) {
    std::vector<float> all;
    for (std::int64_t i = 0; i < batch.sequences(); ++i) {
      const PackedBatch one = alone(batch, i);
      std::vector<float> vector = room_for(engine, one, pooling);
      Worker(engine).encode(one, pooling, vector);
      all.insert(all.end(), vector.begin(), vector.end());
    }
    return all;
  }

  void expect_independent(const ModelWeights& model) {
    const Engine engine(model, GetParam());
    const PackedBatch batch = random_batch(model, lengths(), 21);
    for (const Pooling pooling : {Pooling::mean, Pooling::level2}) {
      const std::vector<float> expected = one_by_one(engine, batch, pooling);
      std::vector<float> together = room_for(engine, batch, pooling);
      Worker worker(engine);
      worker.encode(batch, pooling, together);
      EXPECT_TRUE(together == expected) << "one worker, in the order of the batch";
      worker.encode(batch, pooling, together);
      EXPECT_TRUE(together == expected) << "the same worker again";
      for (const int workers : {1, 2, 3, 7})
        EXPECT_TRUE(encoded(engine, batch, pooling, workers) == expected) << workers << " workers";
    }
  }
};

TEST_P(IndependenceTest, VectorsDoNotDependOnTheirNeighbours) {
  expect_independent(test::tiny_model());
}

TEST_P(IndependenceTest, VectorsDoNotDependOnTheirNeighboursInRealShapes) {
  expect_independent(test::minilm_shaped_model());
}

// A level that stops half-way is that of the encoder without its upper layers.
TEST_P(IndependenceTest, ALevelReadsThroughAsManyLayersAsItIsGiven) {
  ModelWeights model = test::tiny_model();
  model.memory->config.layers = {1, 2, 0};
  const Engine engine(model, GetParam());
  const PackedBatch batch = random_batch(model, {9, 30, 4}, 5);
  for (const auto& [pooling, depth] :
       {std::pair{Pooling::level1, 1}, std::pair{Pooling::level2, 2}, std::pair{Pooling::level3, 3},
        std::pair{Pooling::mean, 3}}) {
    ModelWeights lower = test::tiny_model();
    lower.encoder.config.layers = depth;
    lower.encoder.layers.resize(static_cast<std::size_t>(depth));
    EXPECT_TRUE(encoded(engine, batch, pooling, 2) ==
                encoded(Engine(lower, GetParam()), batch, pooling, 2))
        << depth;
  }
}

// Batches small enough for all workers to work at every sequence together.
TEST_P(IndependenceTest, VectorsDoNotDependOnHowManyWorkersShareASmallBatch) {
  const ModelWeights model = test::minilm_shaped_model();
  const Engine engine(model, GetParam());
  const std::vector<std::vector<std::int64_t>> batches = {
      {1}, {16}, {17}, {152}, {16, 16}, {1, 2, 3}, {50, 7, 33}, {100, 100, 56}, {100, 100, 57}};
  for (const int workers : {2, 3, 7}) {
    WorkerPool pool(engine, workers);
    for (const std::vector<std::int64_t>& lengths : batches) {
      const PackedBatch batch = random_batch(model, lengths, 77);
      for (const Pooling pooling : {Pooling::mean, Pooling::level1}) {
        std::vector<float> vectors = room_for(engine, batch, pooling);
        pool.encode(batch, pooling, vectors);
        ASSERT_TRUE(vectors == one_by_one(engine, batch, pooling))
            << workers << " workers, " << lengths.size() << " sequences of " << lengths.front();
      }
    }
  }
}

TEST_P(IndependenceTest, VectorsDoNotDependOnHowManyWorkersShareASmallBatchOfATinyModel) {
  const ModelWeights model = test::tiny_model();
  const Engine engine(model, GetParam());
  for (const int workers : {1, 2, 3, 7}) {
    WorkerPool pool(engine, workers);
    for (std::int64_t sequences = 1; sequences < 20; ++sequences) {
      std::vector<std::int64_t> lengths;
      for (std::int64_t i = 0; i < sequences; ++i) lengths.push_back(1 + i * 7 % 31);
      const PackedBatch batch = random_batch(model, lengths, 78);
      std::vector<float> vectors = room_for(engine, batch, Pooling::level3);
      pool.encode(batch, Pooling::level3, vectors);
      ASSERT_TRUE(vectors == one_by_one(engine, batch, Pooling::level3))
          << workers << " workers, " << sequences << " sequences";
    }
  }
}

// A sequence at every place that it can have among the rows of the blocks.
TEST_P(IndependenceTest, VectorsDoNotDependOnTheirPlace) {
  const ModelWeights model = test::minilm_shaped_model();
  const Engine engine(model, GetParam());
  const auto width = static_cast<std::size_t>(engine.dimension(Pooling::level1));
  const std::vector<float> expected =
      encoded(engine, random_batch(model, {10}, 1), Pooling::level1);
  Worker worker(engine);
  for (std::int64_t before = 1; before < 140; before += before < 60 ? 1 : 7) {
    PackedBatch batch = random_batch(model, {before}, static_cast<std::uint64_t>(before) + 100);
    const PackedBatch same = random_batch(model, {10}, 1);
    batch.add(same.tokens, same.words);
    std::vector<float> vectors = room_for(engine, batch, Pooling::level1);
    worker.encode(batch, Pooling::level1, vectors);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), vectors.begin() + width))
        << "behind " << before << " rows";
  }
}

std::string name_of(const testing::TestParamInfo<Precision>& precision) {
  return precision.param == Precision::fp32 ? "fp32" : "int8";
}

INSTANTIATE_TEST_SUITE_P(, IndependenceTest, testing::Values(Precision::fp32, Precision::int8),
                         name_of);

class BadBatchTest : public testing::Test {
 protected:
  std::string complaint(const PackedBatch& batch, Pooling pooling = Pooling::level1) {
    std::vector<float> vectors = room_for(engine_, batch, pooling);
    const Error error = error_of([&] { Worker(engine_).encode(batch, pooling, vectors); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    const Error of_pool = error_of([&] { WorkerPool(engine_, 2).encode(batch, pooling, vectors); });
    EXPECT_STREQ(of_pool.what(), error.what());
    return error.what();
  }

  ModelWeights model_ = test::tiny_model();
  Engine engine_{model_, Precision::fp32};
};

TEST_F(BadBatchTest, SequencesLongerThanThePositionsAreNamed) {
  EXPECT_EQ(complaint(random_batch(model_, {5, 201}, 1)),
            "sequence 1 has 201 tokens, but the encoder has only 200 positions: cut it");
}

TEST_F(BadBatchTest, EmptySequencesAreNamed) {
  EXPECT_EQ(complaint(random_batch(model_, {5, 3, 0}, 1)), "sequence 2 has no tokens");
}

TEST_F(BadBatchTest, IdsOutOfRangeAreNamed) {
  PackedBatch batch = random_batch(model_, {5, 3}, 1);
  batch.tokens[6] = 211;
  EXPECT_NE(complaint(batch).find("sequence 1: token id 211"), std::string::npos);
  batch.tokens[6] = -1;
  EXPECT_NE(complaint(batch).find("sequence 1: token id -1"), std::string::npos);
  batch.tokens[6] = 0;
  batch.words[1] = 61;
  EXPECT_NE(complaint(batch).find("sequence 0: memory word id 61"), std::string::npos);
}

TEST_F(BadBatchTest, WordsAreNeededForLevelsOnly) {
  PackedBatch batch = random_batch(model_, {5, 3}, 1);
  const std::vector<float> expected = encoded(engine_, batch, Pooling::mean);
  batch.words.clear();
  EXPECT_TRUE(encoded(engine_, batch, Pooling::mean) == expected);
  EXPECT_NE(complaint(batch).find("0 memory words for 8 tokens"), std::string::npos);
}

TEST_F(BadBatchTest, RoomForTheVectorsIsChecked) {
  std::vector<float> vectors(36);
  const PackedBatch batch = random_batch(model_, {5}, 1);
  const Error error = error_of([&] { Worker(engine_).encode(batch, Pooling::level1, vectors); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
}

TEST(EngineTest, ABareEncoderHasNoLevels) {
  ModelWeights model = test::tiny_model();
  model.memory.reset();
  const Engine engine(model, Precision::fp32);
  EXPECT_EQ(engine.dimension(Pooling::mean), 52);
  const Error error = error_of([&] { engine.dimension(Pooling::level2); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("level 2"), std::string::npos);
}

TEST(EngineTest, RefusesWeightsThatDoNotFitTheirConfig) {
  ModelWeights model = test::tiny_model();
  model.encoder.layers[1].output.bias.pop_back();
  const Error error = error_of([&] { Engine(std::move(model), Precision::fp32); });
  EXPECT_STREQ(error.what(),
               "layer 1 output bias has 51 values where the model's config asks for 52");
}

TEST(WorkerPoolTest, AnEmptyBatchIsFine) {
  const Engine engine(test::tiny_model(), Precision::fp32);
  EXPECT_TRUE(encoded(engine, PackedBatch(), Pooling::mean, 3).empty());
}

TEST(WorkerPoolTest, NeedsAWorker) {
  const Engine engine(test::tiny_model(), Precision::fp32);
  EXPECT_EQ(error_of([&] { WorkerPool(engine, 0); }).kind(), ErrorKind::invalid_argument);
}

TEST(WorkerPoolTest, CallsFromSeveralThreadsWaitForEachOther) {
  const ModelWeights model = test::tiny_model();
  const Engine engine(model, Precision::int8);
  const PackedBatch batch = random_batch(model, std::vector<std::int64_t>(40, 20), 3);
  const std::vector<float> expected = encoded(engine, batch, Pooling::level3);
  WorkerPool pool(engine, 2);
  std::vector<std::vector<float>> results(4, room_for(engine, batch, Pooling::level3));
  std::vector<std::thread> callers;
  for (std::vector<float>& result : results)
    callers.emplace_back([&] { pool.encode(batch, Pooling::level3, result); });
  for (std::thread& caller : callers) caller.join();
  for (const std::vector<float>& result : results) EXPECT_TRUE(result == expected);
}

// --- Numbers that overflow ---

void scale(std::vector<float>& values, float factor) {
  for (float& value : values) value *= factor;
}

struct Overflow {
  const char* name;
  void (*damage)(ModelWeights&);
};

// In each place where a number that is not finite could be lost: under a maximum, in a softmax, by
// a division, in bytes.
const Overflow kOverflows[] = {
    {"embeddings",
     [](ModelWeights& model) {
       scale(model.encoder.word_embeddings, 2e38f);
       scale(model.encoder.position_embeddings, 2e38f);
     }},
    // Finite, but not its variance: all tokens would become the norm's bias.
    {"variance", [](ModelWeights& model) { scale(model.encoder.word_embeddings, 1e25f); }},
    {"scores",
     [](ModelWeights& model) {
       scale(model.encoder.layers[0].query.weight, 1e21f);
       scale(model.encoder.layers[0].key.weight, 1e21f);
     }},
    {"values", [](ModelWeights& model) { scale(model.encoder.layers[1].value.weight, 1e38f); }},
    {"intermediate",
     [](ModelWeights& model) { scale(model.encoder.layers[0].intermediate.weight, 1e38f); }},
    {"output", [](ModelWeights& model) { scale(model.encoder.layers[2].output.weight, 1e38f); }},
    {"last norm",
     [](ModelWeights& model) {
       for (float& weight : model.encoder.layers[2].output_norm.weight) weight = 3e38f;
     }},
    // Sums that run to infinity on both sides.
    {"filters",
     [](ModelWeights& model) {
       for (MemoryLevelWeights& level : model.memory->levels) scale(level.filters.weight, 1e38f);
       for (float& weight : model.encoder.layers[2].output_norm.weight) weight *= 1e4f;
     }},
};

class OverflowTest : public testing::TestWithParam<Precision> {};

TEST_P(OverflowTest, IsAnErrorAndNeverAVector) {
  for (const Overflow& overflow : kOverflows) {
    ModelWeights model = test::tiny_model();
    overflow.damage(model);
    const Engine engine(model, GetParam());
    const PackedBatch batch = random_batch(model, {17, 30, 5, 16}, 5);
    for (const Pooling pooling : kPoolings) {
      if (pooling == Pooling::mean && std::string_view(overflow.name) == "filters") continue;
      for (const int workers : {1, 2}) {
        const Error error = error_of([&] { encoded(engine, batch, pooling, workers); });
        EXPECT_EQ(error.kind(), ErrorKind::corrupt) << overflow.name;
        EXPECT_NE(std::string(error.what()).find("overflow"), std::string::npos) << overflow.name;
      }
    }
  }
}

TEST_P(OverflowTest, IsAlsoAnErrorWhereVectorsAreTraced) {
  ModelWeights model = test::tiny_model();
  scale(model.encoder.word_embeddings, 1e25f);
  const Engine engine(model, GetParam());
  const PackedBatch batch = random_batch(model, {9}, 5);
  std::vector<float> vectors = room_for(engine, batch, Pooling::level1);
  std::vector<std::int32_t> positions(vectors.size());
  Worker worker(engine);
  EXPECT_EQ(
      error_of([&] { worker.encode_traced(batch, Pooling::level1, vectors, positions); }).kind(),
      ErrorKind::corrupt);
}

TEST_P(OverflowTest, DoesNotSpoilTheNextBatch) {
  ModelWeights model = test::tiny_model();
  const PackedBatch good = random_batch(model, {20, 7}, 6);
  // Only the word 3 is too large.
  const std::int64_t width = model.encoder.config.hidden;
  for (std::int64_t i = 0; i < width; ++i)
    model.encoder.word_embeddings[static_cast<std::size_t>(3 * width + i)] *= 1e25f;
  PackedBatch bad = good;
  bad.tokens[4] = 3;
  const Engine engine(model, GetParam());
  const std::vector<float> expected = encoded(engine, good, Pooling::level1);
  for (const int workers : {1, 3}) {
    WorkerPool pool(engine, workers);
    std::vector<float> vectors = room_for(engine, good, Pooling::level1);
    EXPECT_EQ(error_of([&] { pool.encode(bad, Pooling::level1, vectors); }).kind(),
              ErrorKind::corrupt);
    pool.encode(good, Pooling::level1, vectors);
    EXPECT_TRUE(vectors == expected);
  }
}

// So small that a scale for their bytes would be 0, or too coarse for them.
TEST_P(OverflowTest, TinyWeightsCountAsZero) {
  ModelWeights zero = test::tiny_model();
  scale(zero.encoder.layers[0].output.weight, 0);
  const PackedBatch batch = random_batch(zero, {17, 5}, 5);
  const std::vector<float> expected = encoded(Engine(zero, GetParam()), batch, Pooling::level1);
  for (const float tiny : {1e-45f, 1e-44f, 1e-43f, 1e-42f, 1e-40f}) {
    ModelWeights model = test::tiny_model();
    for (float& weight : model.encoder.layers[0].output.weight) weight = tiny;
    const std::vector<float> vectors = encoded(Engine(model, GetParam()), batch, Pooling::level1);
    for (std::size_t i = 0; i < vectors.size(); ++i) ASSERT_NEAR(vectors[i], expected[i], 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(, OverflowTest, testing::Values(Precision::fp32, Precision::int8),
                         name_of);

}  // namespace
}  // namespace memmatch::engine
