#include "engine/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/models.h"
#include "engine/plain_encoder.h"

namespace memmatch::engine {
namespace {

// Sizes around the widths of vectors.
const std::int64_t kSizes[] = {1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 384, 1000};

class KernelsTest : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (GetParam() > best_isa()) GTEST_SKIP() << "not on this machine, or not allowed by setting";
  }

  const Kernels& table() const { return kernels(GetParam()); }

  std::vector<float> random(std::int64_t n, double spread = 1.0) {
    return test::random_values(random_, n, spread);
  }

 private:
  Random random_{3};
};

TEST_P(KernelsTest, GeluIsExactToAMillionth) {
  std::vector<float> x;
  for (double v = -12; v <= 12; v += 0.001) x.push_back(static_cast<float>(v));
  std::vector<float> y = x;
  table().gelu(y.data(), static_cast<std::int64_t>(y.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(y[i], test::gelu(double{x[i]}), 1e-6) << "at " << x[i];
}

TEST_P(KernelsTest, NormalizesRowsOfAnySize) {
  for (const std::int64_t n : kSizes) {
    std::vector<float> x = random(n, 3.0);
    const LayerNormWeights norm{random(n), random(n)};
    const test::Row expected = test::normalized(test::Row(x.begin(), x.end()), norm, 1e-5);
    table().normalize(x.data(), {norm.weight.data(), norm.bias.data(), 1e-5f}, n);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-5) << n;
  }
}

TEST_P(KernelsTest, AddsAndTakesMaximaOfRowsOfAnySize) {
  for (const std::int64_t n : kSizes) {
    const std::vector<float> a = random(n), b = random(n);
    std::vector<float> sum(a.size()), largest = b;
    table().add(a.data(), b.data(), sum.data(), n);
    EXPECT_TRUE(table().maximum(a.data(), largest.data(), n));
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(sum[i], a[i] + b[i]);
      ASSERT_EQ(largest[i], std::max(a[i], b[i]));
    }
  }
}

TEST_P(KernelsTest, QuantizedValuesAreHalfAStepFromTheTruthAtMost) {
  for (const std::int64_t n : kSizes) {
    const std::vector<float> x = random(n, 5.0);
    std::vector<std::uint8_t> bytes(x.size());
    const RowScale row = table().quantize(x.data(), bytes.data(), n);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float back = row.scale * (static_cast<float>(bytes[i]) - row.zero);
      ASSERT_NEAR(back, x[i], 0.501f * row.scale + 1e-6f) << n << " at " << i;
    }
  }
}

TEST_P(KernelsTest, QuantizesZerosExactly) {
  std::vector<float> x(20, 0.0f);
  std::vector<std::uint8_t> bytes(20, 9);
  RowScale row = table().quantize(x.data(), bytes.data(), 20);
  EXPECT_EQ(row.scale * (static_cast<float>(bytes[0]) - row.zero), 0.0f);
  x[3] = 2.0f;
  x[4] = -0.7f;
  row = table().quantize(x.data(), bytes.data(), 20);
  EXPECT_EQ(static_cast<float>(bytes[0]), row.zero);
}

TEST_P(KernelsTest, DequantizesWithZeroPointAndBias) {
  for (const std::int64_t n : kSizes) {
    std::vector<std::int32_t> products(static_cast<std::size_t>(n));
    std::iota(products.begin(), products.end(), -5);
    const std::vector<float> scale = random(n), sum = random(n), bias = random(n),
                             before = random(n);
    const ColumnScales columns{scale.data(), sum.data(), bias.data()};
    const RowScale row{0.25f, 3.0f};
    std::vector<float> set(before), added(before);
    table().dequantize(products.data(), row, columns, set.data(), n);
    table().dequantize_add(products.data(), row, columns, added.data(), n);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const float expected =
          (static_cast<float>(products[i]) - 3.0f * sum[i]) * 0.25f * scale[i] + bias[i];
      ASSERT_NEAR(set[i], expected, 1e-3f);
      ASSERT_NEAR(added[i], before[i] + expected, 1e-3f);
    }
  }
}

TEST_P(KernelsTest, ActivatesBetweenProductsAsItsPartsDo) {
  for (const std::int64_t n : kSizes) {
    std::vector<std::int32_t> products(static_cast<std::size_t>(n));
    std::iota(products.begin(), products.end(), -static_cast<std::int32_t>(n) / 2);
    const std::vector<float> scale = random(n), sum = random(n), bias = random(n);
    const ColumnScales columns{scale.data(), sum.data(), bias.data()};
    const RowScale row{0.05f, 2.0f};
    std::vector<float> expected(products.size()), x(products.size());
    std::vector<std::uint8_t> expected_bytes(products.size()), bytes(products.size());
    table().dequantize(products.data(), row, columns, expected.data(), n);
    table().gelu(expected.data(), n);
    const RowScale expected_scale = table().quantize(expected.data(), expected_bytes.data(), n);
    const RowScale scaled =
        table().dequantize_gelu_quantize(products.data(), row, columns, x.data(), bytes.data(), n);
    ASSERT_NEAR(scaled.scale, expected_scale.scale, 1e-6f);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      ASSERT_NEAR(x[i], expected[i], 1e-5f);
      ASSERT_NEAR(bytes[i], expected_bytes[i], 1);
    }
  }
}

TEST_P(KernelsTest, AttendsOverSequencesAndHeadsOfAnySize) {
  for (const std::int64_t size : {1, 5, 16, 32, 64, 80}) {
    for (const std::int64_t length : {1, 2, 5, 6, 7, 16, 17, 50, 97, 152}) {
      const AttentionShape shape{length, 3, size};
      const std::int64_t width = 3 * size;
      std::vector<float> qkv = random(length * 3 * width, 0.7);
      std::vector<float> scratch(static_cast<std::size_t>(attention_scratch(shape)));
      std::vector<float> context(static_cast<std::size_t>(length * width), 9.0f);
      table().attention(qkv.data(), shape, scratch.data(), context.data());
      test::Rows queries, keys, values;
      for (std::int64_t t = 0; t < length; ++t) {
        queries.push_back(test::table_row(qkv, 3 * t, width));
        keys.push_back(test::table_row(qkv, 3 * t + 1, width));
        values.push_back(test::table_row(qkv, 3 * t + 2, width));
        // The kernel's queries are scaled beforehand.
        for (double& v : queries.back()) v *= std::sqrt(static_cast<double>(size));
      }
      for (std::int64_t t = 0; t < length; ++t) {
        const auto row = static_cast<std::size_t>(t);
        const test::Row expected = test::attend(queries[row], keys, values, 3);
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_NEAR(context[row * expected.size() + i], expected[i], 1e-5)
              << size << " " << length;
      }
    }
  }
}

// In every place of rows of any size.
TEST_P(KernelsTest, NothingThatIsNotFiniteIsLost) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float odd : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (const std::int64_t n : {1, 7, 16, 33}) {
      for (std::size_t place = 0; place < static_cast<std::size_t>(n); ++place) {
        std::vector<float> x = random(n), largest = random(n);
        x[place] = odd;
        EXPECT_FALSE(table().maximum(x.data(), largest.data(), n));
        std::vector<std::uint8_t> bytes(x.size());
        EXPECT_FALSE(std::isfinite(table().quantize(x.data(), bytes.data(), n).scale));
        const std::vector<float> ones(x.size(), 1.0f), zeros(x.size(), 0.0f);
        table().normalize(x.data(), {ones.data(), zeros.data(), 1e-5f}, n);
        for (const float value : x) EXPECT_FALSE(std::isfinite(value));
      }
    }
  }
}

TEST_P(KernelsTest, AScoreThatOverflowsSpoilsItsRowOnly) {
  for (const std::int64_t length : {1, 5, 16, 20}) {
    const AttentionShape shape{length, 1, 8};
    for (const float sign : {1.0f, -1.0f}) {
      std::vector<float> qkv = random(length * 24);
      for (std::int64_t t = 0; t < length; ++t)
        qkv[static_cast<std::size_t>(24 * t + 8)] = 1e20f;  // of each key
      qkv[0] = sign * 1e20f;                                // of the first query
      std::vector<float> scratch(static_cast<std::size_t>(attention_scratch(shape)));
      std::vector<float> context(static_cast<std::size_t>(length * 8));
      table().attention(qkv.data(), shape, scratch.data(), context.data());
      for (std::size_t i = 0; i < context.size(); ++i)
        EXPECT_EQ(std::isfinite(context[i]), i >= 8) << length << " " << i;
    }
  }
}

TEST_P(KernelsTest, WhatIsTooSmallForAScaleIsZeroInBytes) {
  for (const float tiny : {1e-45f, 1e-44f, 1e-43f, 1e-40f, 1e-37f}) {
    std::vector<float> x(20, tiny);
    x[3] = -tiny;
    std::vector<std::uint8_t> bytes(x.size());
    const RowScale row = table().quantize(x.data(), bytes.data(), 20);
    EXPECT_TRUE(std::isnormal(row.scale));
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(row.scale * (static_cast<float>(bytes[i]) - row.zero), x[i], 1e-36f);
  }
}

std::string name_of(const testing::TestParamInfo<Isa>& isa) {
  return isa.param == Isa::generic ? "generic" : isa.param == Isa::avx2 ? "avx2" : "avx512";
}

INSTANTIATE_TEST_SUITE_P(, KernelsTest, testing::Values(Isa::generic, Isa::avx2, Isa::avx512),
                         name_of);

}  // namespace
}  // namespace memmatch::engine
