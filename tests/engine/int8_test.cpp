#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/claims.h"
#include "engine/models.h"
#include "engine/pool.h"

namespace memmatch::engine {
namespace {

// Real claims through a real encoder, which are not part of the repository.
class Int8Test : public testing::Test {
 protected:
  static constexpr std::size_t kClaims = 1000;

  void SetUp() override {
    claims_file_ = test::shared_data() / "fever-reduced" / "dev.jsonl";
    if (!exists(test::minilm_folder())) GTEST_SKIP() << "no encoder at " << test::minilm_folder();
    if (!exists(claims_file_)) GTEST_SKIP() << "no claims at " << claims_file_;
    data_.emplace(load_model(test::minilm_folder()));
    data_->weights.memory = initialize_memory({}, data_->weights.encoder.config, 1);
    read_claims();
  }

  void read_claims() {
    data::ClaimReader reader(claims_file_);
    const text::Vocabulary& vocabulary = data_->tokenizer.vocabulary();
    for (data::Claim claim; batch_.sequences() < std::int64_t{kClaims} && reader.next(claim);) {
      std::vector<std::int32_t> tokens = {*vocabulary.find("[CLS]")};
      std::vector<std::int32_t> words = {0};
      for (const text::Piece& piece : data_->tokenizer.tokenize(claim.text)) {
        tokens.push_back(piece.id);
        words.push_back(1 + piece.id % 7501);
      }
      tokens.push_back(*vocabulary.find("[SEP]"));
      words.push_back(0);
      batch_.add(tokens, words);
    }
    ASSERT_EQ(batch_.sequences(), std::int64_t{kClaims});
  }

  std::vector<float> vectors(Precision precision, Pooling pooling) const {
    const Engine engine(data_->weights, precision);
    std::vector<float> result(kClaims * static_cast<std::size_t>(engine.dimension(pooling)));
    WorkerPool(engine, 2).encode(batch_, pooling, result);
    return result;
  }

  std::filesystem::path claims_file_;
  std::optional<ModelData> data_;
  PackedBatch batch_;
};

double cosine(std::span<const float> a, std::span<const float> b) {
  const auto dot = [](std::span<const float> x, std::span<const float> y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

std::span<const float> row(const std::vector<float>& vectors, std::size_t i) {
  const std::size_t width = vectors.size() / 1000;
  return std::span(vectors).subspan(i * width, width);
}

// The nearest other row by cosine.
std::size_t nearest(const std::vector<float>& vectors, std::size_t i) {
  std::size_t best = i;
  double best_cosine = -2;
  for (std::size_t j = 0; j < 1000; ++j) {
    const double c = j == i ? -2 : cosine(row(vectors, i), row(vectors, j));
    if (c > best_cosine) {
      best_cosine = c;
      best = j;
    }
  }
  return best;
}

TEST_F(Int8Test, VectorsOfRealClaimsPointWhereTheyDoInFp32) {
  for (const Pooling pooling : {Pooling::mean, Pooling::level1, Pooling::level2, Pooling::level3}) {
    const std::vector<float> exact = vectors(Precision::fp32, pooling);
    const std::vector<float> bytes = vectors(Precision::int8, pooling);
    double lowest = 1;
    double mean = 0;
    for (std::size_t i = 0; i < kClaims; ++i) {
      const double c = cosine(row(exact, i), row(bytes, i));
      lowest = std::min(lowest, c);
      mean += c / kClaims;
    }
    EXPECT_GE(lowest, 0.99);
    EXPECT_GE(mean, 0.998);
    std::printf("pooling %d: cosine at least %.5f, mean %.5f\n", static_cast<int>(pooling), lowest,
                mean);
  }
}

TEST_F(Int8Test, NearestNeighboursOfRealClaimsAreThoseOfFp32) {
  for (const Pooling pooling : {Pooling::mean, Pooling::level1}) {
    const std::vector<float> exact = vectors(Precision::fp32, pooling);
    const std::vector<float> bytes = vectors(Precision::int8, pooling);
    std::size_t same = 0;
    for (std::size_t i = 0; i < kClaims; ++i) same += nearest(exact, i) == nearest(bytes, i);
    EXPECT_GE(same, kClaims * 97 / 100);
    std::printf("pooling %d: %zu of 1000 nearest neighbours are the same\n",
                static_cast<int>(pooling), same);
  }
}

}  // namespace
}  // namespace memmatch::engine
