#include "train/optimizers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace memmatch::train {
namespace {

using torch::Tensor;

// Gradients of some steps for two tensors of two numbers each; the second is large, so that
// clipping shows.
const std::vector<std::array<std::array<double, 2>, 2>> kGradients = {{{{0.1, -0.2}, {3, -4}}},
                                                                      {{{0.3, 0.05}, {0.5, 0.25}}},
                                                                      {{{-0.1, 0}, {-6, 8}}},
                                                                      {{{0.02, -0.9}, {1, 1}}}};

std::vector<NamedParameter> parameters(const std::string& first, const std::string& second) {
  return {{first, torch::tensor({0.5f, -1.5f})}, {second, torch::tensor({2.0f, 0.1f})}};
}

Tensor tensor_of(const std::array<double, 2>& values) {
  return torch::tensor({static_cast<float>(values[0]), static_cast<float>(values[1])});
}

// Takes all steps with the optimiser and beside it with `scalar`, which is given the tensor, the
// element, the gradient of the whole tensor and the step from 1, and moves a double.
template <typename Scalar>
void expect_steps(Optimizer& optimizer, Scalar scalar) {
  std::array<std::array<double, 2>, 2> expected{{{0.5, -1.5}, {2.0, 0.1}}};
  for (std::size_t step = 0; step < kGradients.size(); ++step) {
    std::vector<Tensor> gradients{tensor_of(kGradients[step][0]), tensor_of(kGradients[step][1])};
    const double rate = 0.1 * static_cast<double>(step + 1);
    optimizer.step(gradients, rate);
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t e = 0; e < 2; ++e) {
        scalar(t, e, kGradients[step][t], static_cast<double>(step + 1), rate, expected[t][e]);
        EXPECT_NEAR(optimizer.parameters()[t].value[static_cast<std::int64_t>(e)].item<double>(),
                    expected[t][e], 2e-6 * std::max(1.0, std::abs(expected[t][e])))
            << "step " << step << " tensor " << t << " element " << e;
      }
    }
  }
}

TEST(Adadelta, FollowsItsRecurrence) {
  const auto optimizer = make_adadelta(parameters("a", "b"));
  double square[2][2] = {}, change[2][2] = {};
  expect_steps(*optimizer, [&](std::size_t t, std::size_t e, const auto& gradient, double,
                               double rate, double& value) {
    const double g = gradient[e];
    square[t][e] = 0.9 * square[t][e] + 0.1 * g * g;
    const double d = std::sqrt(change[t][e] + 1e-6) / std::sqrt(square[t][e] + 1e-6) * g;
    change[t][e] = 0.9 * change[t][e] + 0.1 * d * d;
    value -= rate * d;
  });
}

TEST(Adam, FollowsItsRecurrenceWithBiasCorrection) {
  const auto optimizer = make_adam(parameters("a", "b"));
  double mean[2][2] = {}, square[2][2] = {};
  expect_steps(*optimizer, [&](std::size_t t, std::size_t e, const auto& gradient, double step,
                               double rate, double& value) {
    const double g = gradient[e];
    mean[t][e] = 0.9 * mean[t][e] + 0.1 * g;
    square[t][e] = 0.999 * square[t][e] + 0.001 * g * g;
    const double m = mean[t][e] / (1 - std::pow(0.9, step));
    const double v = square[t][e] / (1 - std::pow(0.999, step));
    value -= rate * m / (std::sqrt(v) + 1e-8);
  });
}

// No bias correction; each tensor's gradient is clipped to norm 1 by itself; weights decay, but for
// biases and norms.
void expect_bert_adam(const std::string& first, bool first_decays, const std::string& second,
                      bool second_decays) {
  const auto optimizer = make_bert_adam(parameters(first, second), 0.01);
  const bool decays[2] = {first_decays, second_decays};
  double mean[2][2] = {}, square[2][2] = {};
  expect_steps(*optimizer, [&](std::size_t t, std::size_t e, const auto& gradient, double,
                               double rate, double& value) {
    const double norm = std::hypot(gradient[0], gradient[1]);
    const double g = norm > 1 ? gradient[e] / (norm + 1e-6) : gradient[e];
    mean[t][e] = 0.9 * mean[t][e] + 0.1 * g;
    square[t][e] = 0.999 * square[t][e] + 0.001 * g * g;
    const double update = mean[t][e] / (std::sqrt(square[t][e]) + 1e-6);
    value -= rate * (update + (decays[t] ? 0.01 * value : 0));
  });
}

TEST(BertAdam, FollowsItsRecurrence) {
  expect_bert_adam("encoder.words.weight", true, "encoder.layer0.query.weight", true);
}

TEST(BertAdam, DoesNotDecayBiasesAndNorms) {
  expect_bert_adam("encoder.layer0.query.bias", false, "encoder.layer0.output_norm.weight", false);
  expect_bert_adam("encoder.embedding_norm.weight", false, "encoder.layer0.output.weight", true);
}

TEST(Optimizers, AParameterWithoutAGradientStaysAsItIs) {
  std::vector<std::unique_ptr<Optimizer>> optimizers;
  optimizers.push_back(make_adadelta(parameters("a", "b")));
  optimizers.push_back(make_adam(parameters("a", "b")));
  optimizers.push_back(make_bert_adam(parameters("a", "b"), 0.01));
  for (const auto& optimizer : optimizers) {
    std::vector<Tensor> gradients{Tensor(), torch::tensor({1.0f, 1.0f})};
    optimizer->step(gradients, 0.5);
    EXPECT_TRUE(torch::equal(optimizer->parameters()[0].value, torch::tensor({0.5f, -1.5f})));
    EXPECT_FALSE(torch::equal(optimizer->parameters()[1].value, torch::tensor({2.0f, 0.1f})));
  }
}

TEST(Optimizers, ARestoredStateGoesOnAsIfNothingHadHappened) {
  for (const auto make : {make_adadelta, make_adam}) {
    const auto whole = make(parameters("a", "b"));
    const auto first = make(parameters("a", "b"));
    const auto second = make(parameters("a", "b"));
    const auto step = [](Optimizer& optimizer, std::size_t i) {
      std::vector<Tensor> gradients{tensor_of(kGradients[i][0]), tensor_of(kGradients[i][1])};
      optimizer.step(gradients, 0.1);
    };
    for (std::size_t i = 0; i < 4; ++i) step(*whole, i);
    for (std::size_t i = 0; i < 2; ++i) step(*first, i);
    for (std::size_t i = 0; i < 2; ++i)
      second->parameters()[i].value.copy_(first->parameters()[i].value);
    for (std::size_t i = 0; i < first->state().size(); ++i) {
      EXPECT_EQ(second->state()[i].first, first->state()[i].first);
      Tensor target = second->state()[i].second;
      target.copy_(first->state()[i].second);
    }
    for (std::size_t i = 2; i < 4; ++i) step(*second, i);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_TRUE(torch::equal(second->parameters()[i].value, whole->parameters()[i].value));
  }
}

TEST(ClipNorm, ScalesAllGradientsTogether) {
  std::vector<Tensor> gradients{torch::tensor({3.0f, 0.0f}), Tensor(), torch::tensor({4.0f})};
  EXPECT_NEAR(clip_norm(gradients, 10), 5, 1e-6);
  EXPECT_TRUE(torch::equal(gradients[2], torch::tensor({4.0f})));
  EXPECT_NEAR(clip_norm(gradients, 2.5), 5, 1e-6);
  EXPECT_NEAR(gradients[0][0].item<double>(), 1.5, 1e-5);
  EXPECT_NEAR(gradients[2][0].item<double>(), 2.0, 1e-5);
  EXPECT_FALSE(gradients[1].defined());
}

// The reference's test vector T15.
TEST(LinearSchedule, HasTheReferencesLearningRates) {
  const std::vector<std::pair<std::int64_t, double>> rates = {{0, 0},      {1, 2e-7},   {50, 1e-5},
                                                              {100, 2e-5}, {550, 1e-5}, {1000, 0}};
  for (const auto& [step, rate] : rates)
    EXPECT_NEAR(2e-5 * linear_schedule(step, 1000, 0.1), rate, 1e-15) << step;
  EXPECT_NEAR(2e-5 * linear_schedule(16160, 1590312, 0.1), 2.03e-6, 5e-9);
  EXPECT_NEAR(2e-5 * linear_schedule(96965, 1607154, 0.1), 1.207e-5, 5e-9);
  EXPECT_EQ(linear_schedule(0, 10, 0), 1);
  EXPECT_EQ(linear_schedule(12, 10, 0.1), 0);
}

}  // namespace
}  // namespace memmatch::train
