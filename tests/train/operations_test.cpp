#include "train/operations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "train/plain_operations.h"

namespace memmatch::train {
namespace {

using torch::Tensor;

const std::vector<std::vector<std::int64_t>> kOffsets = {
    {0, 1}, {0, 5}, {0, 3, 10, 11, 30}, {0, 52, 54, 154}};

Tensor random_tensor(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  torch::manual_seed(seed);
  return torch::randn({rows, columns});
}

// Values and gradients of two ways to compute the same: each is given its own copies of `inputs`.
using Way = std::function<Tensor(const std::vector<Tensor>&)>;

void expect_same(const std::vector<Tensor>& inputs, const Way& ours, const Way& plain) {
  std::vector<Tensor> mine, theirs;
  for (const Tensor& input : inputs) {
    mine.push_back(input.clone().requires_grad_());
    theirs.push_back(input.clone().requires_grad_());
  }
  const Tensor result = ours(mine), expected = plain(theirs);
  ASSERT_EQ(result.sizes(), expected.sizes());
  EXPECT_LT((result - expected).abs().max().item<float>(), 2e-5f);
  const Tensor direction = random_tensor(result.size(0), result.size(1), 99);
  (result * direction).sum().backward();
  (expected * direction).sum().backward();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_LT((mine[i].grad() - theirs[i].grad()).abs().max().item<float>(), 1e-4f)
        << "input " << i;
  }
}

TEST(Affine, IsTheProductPlusTheBias) {
  for (const std::int64_t rows : {1, 7, 64, 301}) {
    expect_same(
        {random_tensor(rows, 13, 1), random_tensor(21, 13, 2),
         random_tensor(1, 21, 3).select(0, 0)},
        [](const auto& in) { return affine(in[0], in[1], in[2]); },
        [](const auto& in) { return in[0].matmul(in[1].t()) + in[2]; });
  }
}

TEST(Product, TakesRowsThatDoNotLieTogether) {
  expect_same(
      {random_tensor(13, 9, 1), random_tensor(4, 13, 2)},
      [](const auto& in) { return product(in[0].t(), in[1]); },
      [](const auto& in) { return in[0].t().matmul(in[1].t()); });
}

// Close to the exact product, and with the gradients of one: factors are rounded, sums are not.
TEST(Product, OfBf16FactorsIsNearTheExactOne) {
  if (!processor_has_bf16()) GTEST_SKIP() << "the processor has no bf16 instructions";
  for (const std::int64_t rows : {1, 64, 301}) {
    const Tensor x = random_tensor(rows, 96, 1).requires_grad_();
    const Tensor w = random_tensor(40, 96, 2).requires_grad_();
    const Tensor direction = random_tensor(rows, 40, 3);
    const Tensor rounded = product(x, w, Arithmetic::bf16);
    const Tensor exact = x.matmul(w.t());
    // Two factors, each rounded to 8 bits, 96 products of variance 1.
    EXPECT_LT((rounded - exact).abs().max().item<float>(), 0.25f);
    EXPECT_GT((rounded - exact).abs().max().item<float>(), 0.0f) << "nothing was rounded";
    const auto mine = torch::autograd::grad({(rounded * direction).sum()}, {x, w});
    const auto theirs = torch::autograd::grad({(exact * direction).sum()}, {x, w});
    for (std::size_t i = 0; i < 2; ++i) {
      const double error = (mine[i] - theirs[i]).norm().item<double>();
      EXPECT_LT(error, 0.01 * theirs[i].norm().item<double>()) << "input " << i;
    }
  }
}

// Of each sequence alone; `mask`, where there is one, as attention() lays it out.
Tensor plain_attention(const Tensor& qkv, const std::vector<std::int64_t>& offsets,
                       std::int64_t heads, const Tensor& mask) {
  const std::int64_t hidden = qkv.size(1) / 3, size = hidden / heads;
  std::vector<Tensor> sequences;
  std::int64_t at = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const std::int64_t length = offsets[s + 1] - offsets[s];
    const Tensor rows = qkv.narrow(0, offsets[s], length);
    std::vector<Tensor> outputs;
    for (std::int64_t h = 0; h < heads; ++h, at += length * length) {
      const auto part = [&](std::int64_t which) {
        return rows.narrow(1, which * hidden + h * size, size);
      };
      Tensor weights =
          torch::softmax(part(0).matmul(part(1).t()) / std::sqrt(static_cast<double>(size)), 1);
      if (mask.defined())
        weights = weights * mask.narrow(0, at, length * length).view({length, length});
      outputs.push_back(weights.matmul(part(2)));
    }
    sequences.push_back(torch::cat(outputs, 1));
  }
  return torch::cat(sequences);
}

TEST(Attention, IsThatOfEachSequenceAlone) {
  for (const auto& offsets : kOffsets) {
    for (const std::int64_t heads : {1, 3}) {
      expect_same(
          {random_tensor(offsets.back(), 3 * 12, 4)},
          [&](const auto& in) { return attention(in[0], offsets, heads, nullptr); },
          [&](const auto& in) { return plain_attention(in[0], offsets, heads, Tensor()); });
    }
  }
}

TEST(Attention, DropsTheWeightsThatItsNoiseNames) {
  for (const auto& offsets : kOffsets) {
    std::int64_t elements = 0;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
      elements += 3 * (offsets[s + 1] - offsets[s]) * (offsets[s + 1] - offsets[s]);
    const Tensor mask = Noise(5, 0.3).mask({elements});
    expect_same(
        {random_tensor(offsets.back(), 3 * 12, 4)},
        [&](const auto& in) {
          Noise noise(5, 0.3);
          return attention(in[0], offsets, 3, &noise);
        },
        [&](const auto& in) { return plain_attention(in[0], offsets, 3, mask); });
  }
}

TEST(PositiveMaximum, IsTheLargestOfEachColumnOrZero) {
  for (const auto& offsets : kOffsets) {
    expect_same(
        {random_tensor(offsets.back(), 17, 6)},
        [&](const auto& in) { return positive_maximum(in[0], offsets); },
        [&](const auto& in) {
          std::vector<Tensor> rows;
          for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
            const Tensor some = in[0].narrow(0, offsets[s], offsets[s + 1] - offsets[s]);
            rows.push_back(std::get<0>(some.max(0)).clamp_min(0));
          }
          return torch::stack(rows);
        });
  }
}

TEST(PositiveMaximum, WhereNothingIsAboveZeroNothingFlowsBack) {
  Tensor rows = torch::tensor({{-1.0f, 2.0f}, {-3.0f, 1.0f}}).requires_grad_();
  const Tensor largest = positive_maximum(rows, {0, 2});
  EXPECT_TRUE(torch::equal(largest, torch::tensor({{0.0f, 2.0f}})));
  largest.sum().backward();
  EXPECT_TRUE(torch::equal(rows.grad(), torch::tensor({{0.0f, 1.0f}, {0.0f, 0.0f}})));
}

// What other devices compute with.
TEST(PlainOperations, AgreeWithTheFastOnes) {
  for (const auto& offsets : kOffsets) {
    expect_same(
        {random_tensor(offsets.back(), 3 * 12, 4)},
        [&](const auto& in) { return attention(in[0], offsets, 3, nullptr); },
        [&](const auto& in) { return plain::attention(in[0], offsets, 3, nullptr); });
    expect_same(
        {random_tensor(offsets.back(), 17, 6)},
        [&](const auto& in) { return positive_maximum(in[0], offsets); },
        [&](const auto& in) { return plain::positive_maximum(in[0], offsets); });
  }
  expect_same(
      {random_tensor(7, 13, 1), random_tensor(4, 13, 2)},
      [](const auto& in) { return product(in[0], in[1]); },
      [](const auto& in) { return plain::product(in[0], in[1]); });
}

TEST(Noise, DropsAsManyAsAskedAndKeepsTheMean) {
  const Tensor mask = Noise(3, 0.1).mask({100001});
  EXPECT_NEAR(mask.eq(0).to(torch::kFloat).mean().item<double>(), 0.1, 0.005);
  EXPECT_NEAR(mask.mean().item<double>(), 1, 0.01);
  EXPECT_TRUE(torch::equal(mask, Noise(3, 0.1).mask({100001})));
  EXPECT_FALSE(torch::equal(mask, Noise(4, 0.1).mask({100001})));
  Noise noise(3, 0.1);
  noise.mask({100001});
  EXPECT_FALSE(torch::equal(mask, noise.mask({100001}))) << "the next mask is another";
}

}  // namespace
}  // namespace memmatch::train
