#include "train/step.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "engine/models.h"

namespace memmatch::train {
namespace {

using torch::Tensor;

ModelWeights small_weights() {
  EncoderConfig config;
  config.vocabulary = 40;
  config.hidden = 12;
  config.layers = 2;
  config.heads = 3;
  config.intermediate = 20;
  config.positions = 40;
  MemoryConfig memory;
  memory.vocabulary = 20;
  memory.word_dimension = 6;
  memory.filters = 10;
  return test::random_model(config, memory, 3);
}

// A batch with pairs of all levels and examples for the head, of random sequences.
StepBatch random_step(const ModelWeights& model) {
  StepBatch batch;
  Random random(8);
  const auto add = [&](SequenceSet& set) {
    const auto length = static_cast<std::int64_t>(3 + random.uniform() * 20);
    const engine::PackedBatch packed =
        test::random_batch(model, {length}, static_cast<std::uint64_t>(random.uniform() * 1e9));
    Sequence sequence;
    sequence.tokens.assign(packed.tokens.begin(), packed.tokens.end());
    sequence.words.assign(packed.words.begin(), packed.words.end());
    return set.add(std::move(sequence));
  };
  for (std::size_t level = 0; level < 3; ++level) {
    for (std::size_t claim = 0; claim <= level; ++claim) {
      SequenceSet& sequences = batch.levels[level].sequences;
      const std::int64_t query = add(sequences);
      for (const bool match : {true, false, false})
        batch.levels[level].pairs.push_back({query, add(sequences), match});
    }
  }
  for (std::int64_t label = 0; label < 3; ++label) {
    batch.head.rows.push_back(add(batch.head.sequences));
    batch.head.labels.push_back(label);
  }
  for (int text = 0; text < 3; ++text) add(batch.embedding.sequences);
  for (std::int64_t i = 0; i < 3 * model.encoder.config.hidden; ++i)
    batch.embedding.wanted.push_back(static_cast<float>(random.uniform()) - 0.5f);
  return batch;
}

class StepTest : public testing::Test {
 protected:
  StepTest() : model_(small_weights()), twin_(model_), head_(12), batch_(random_step(model_)) {
    options_.trained = {true, true};
    options_.head_weight = 0.5;
    options_.embedding_weight = 0.7;
    torch::manual_seed(5);
    const torch::NoGradGuard no_grad;
    for (Tensor& parameter : head_->parameters()) parameter.normal_();
  }

  // Those that a step with options_.trained changes; all others are frozen.
  std::vector<NamedParameter> trained() {
    std::vector<NamedParameter> all;
    for (auto& item : twin_->named_parameters()) {
      const bool encoder = item.key().starts_with("encoder.");
      const bool active = encoder ? options_.trained.encoder : options_.trained.memory;
      item.value().requires_grad_(active);
      if (active) all.push_back({item.key(), item.value()});
    }
    for (auto& item : head_->named_parameters()) {
      item.value().requires_grad_(options_.trained.encoder);
      if (options_.trained.encoder) all.push_back({"head." + item.key(), item.value()});
    }
    return all;
  }

  StepResult compute(const std::vector<NamedParameter>& parameters) {
    std::vector<Tensor> values;
    for (const NamedParameter& parameter : parameters) values.push_back(parameter.value);
    return compute_step(twin_, head_, batch_, values, options_);
  }

  ModelWeights model_;
  Twin twin_;
  Head head_;
  StepBatch batch_;
  StepOptions options_;
};

// Central differences in those elements of every parameter that have the largest gradients. The
// loss has kinks, where a maximum changes hands: a step across one is halved until it is none.
void expect_slope(const std::string& name, Tensor value, std::int64_t element, double gradient,
                  const std::function<double()>& loss) {
  const torch::NoGradGuard no_grad;
  double slope = 0;
  for (const float step : {4e-3f, 2e-3f, 1e-3f}) {
    const float before = value.view(-1)[element].item<float>();
    value.view(-1)[element] = before + step;
    const double above = loss();
    value.view(-1)[element] = before - step;
    const double below = loss();
    value.view(-1)[element] = before;
    slope = (above - below) / (2 * static_cast<double>(step));
    if (std::abs(slope - gradient) <= 0.03 * std::abs(gradient) + 3e-4) return;
  }
  ADD_FAILURE() << name << "[" << element << "]: slope " << slope << ", gradient " << gradient;
}

TEST_F(StepTest, HasTheGradientsOfItsLoss) {
  const std::vector<NamedParameter> parameters = trained();
  const StepResult result = compute(parameters);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    ASSERT_TRUE(result.gradients[i].defined()) << parameters[i].name;
    const Tensor flat = result.gradients[i].reshape(-1);
    const Tensor largest = std::get<1>(flat.abs().topk(std::min<std::int64_t>(2, flat.numel())));
    for (std::int64_t n = 0; n < largest.numel(); ++n, ++checked) {
      const auto element = largest[n].item<std::int64_t>();
      expect_slope(parameters[i].name, parameters[i].value, element, flat[element].item<double>(),
                   [&] { return compute({}).loss; });
    }
  }
  EXPECT_GE(checked, 60u);
}

TEST_F(StepTest, TheLossIsTheMeanOfTheLevelsPlusThoseOfHeadAndEmbeddings) {
  const StepResult result = compute({});
  const double levels = (*result.losses[0] + *result.losses[1] + *result.losses[2]) / 3;
  EXPECT_NEAR(result.loss, levels + 0.5 * *result.head_loss + 0.7 * *result.embedding_loss, 1e-6);
  batch_.levels[1] = {};
  batch_.head = {};
  batch_.embedding.wanted.clear();
  const StepResult less = compute({});
  EXPECT_FALSE(less.losses[1].has_value());
  EXPECT_FALSE(less.head_loss.has_value());
  EXPECT_FALSE(less.embedding_loss.has_value());
  EXPECT_NEAR(less.loss, (*result.losses[0] + *result.losses[2]) / 2, 1e-6);
}

TEST_F(StepTest, EmbeddingsThatAreAsWantedHaveNoLoss) {
  engine::PackedBatch packed;
  for (const Sequence& sequence : batch_.embedding.sequences.sequences())
    packed.add(sequence.tokens, sequence.words);
  const Tensor vectors = (2 * twin_(packed, engine::Pooling::mean)).detach().contiguous();
  batch_.embedding.wanted.assign(vectors.data_ptr<float>(),
                                 vectors.data_ptr<float>() + vectors.numel());
  EXPECT_NEAR(*compute({}).embedding_loss, 0, 1e-6);
}

TEST_F(StepTest, Level1HasItsWeight) {
  batch_.embedding.wanted.clear();
  options_.head_weight = 0;
  options_.level1_weight = 0.25;
  const StepResult result = compute({});
  const double levels = (0.25 * *result.losses[0] + *result.losses[1] + *result.losses[2]) / 3;
  EXPECT_NEAR(result.loss, levels, 1e-6);
}

TEST_F(StepTest, TwoWorkersGiveTheGradientsOfOne) {
  const std::vector<NamedParameter> parameters = trained();
  options_.workers = 1;
  const StepResult one = compute(parameters);
  for (const int workers : {2, 3, 40}) {
    options_.workers = workers;
    const StepResult several = compute(parameters);
    EXPECT_NEAR(several.loss, one.loss, 1e-6);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      EXPECT_LT((several.gradients[i] - one.gradients[i]).abs().max().item<double>(), 1e-6)
          << parameters[i].name;
    }
  }
}

TEST_F(StepTest, IsTheSameToTheBitWhenRepeated) {
  options_.dropout = 0.1;
  options_.workers = 2;
  options_.seed = 77;
  const std::vector<NamedParameter> parameters = trained();
  const StepResult first = compute(parameters);
  const StepResult again = compute(parameters);
  EXPECT_EQ(first.loss, again.loss);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    EXPECT_TRUE(torch::equal(first.gradients[i], again.gradients[i])) << parameters[i].name;
  options_.seed = 78;
  EXPECT_NE(compute(parameters).loss, first.loss);
}

TEST_F(StepTest, PartsThatAreTrainedAloneHaveTheGradientsOfTheWhole) {
  const std::vector<NamedParameter> all = trained();
  const StepResult whole = compute(all);
  for (const Trained trained_part : {Trained{true, false}, Trained{false, true}}) {
    options_.trained = trained_part;
    const std::vector<NamedParameter> parameters = trained();
    ASSERT_LT(parameters.size(), all.size());
    const StepResult part = compute(parameters);
    EXPECT_NEAR(part.loss, whole.loss, 1e-6);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const NamedParameter& one) {
        return one.name == parameters[i].name;
      });
      ASSERT_NE(same, all.end());
      const Tensor& expected = whole.gradients[static_cast<std::size_t>(same - all.begin())];
      EXPECT_LT((part.gradients[i] - expected).abs().max().item<double>(), 1e-6)
          << parameters[i].name;
    }
  }
}

TEST_F(StepTest, DropoutIsForAnEncoderThatIsTrained) {
  options_.trained = {true, false};
  const double without = compute(trained()).loss;
  options_.dropout = 0.3;
  EXPECT_EQ(compute(trained()).loss, without);
  options_.trained = {true, true};
  EXPECT_NE(compute(trained()).loss, without);
}

TEST_F(StepTest, ABatchWithoutPairsHasNoLossAndNoGradients) {
  batch_ = {};
  const StepResult result = compute(trained());
  EXPECT_EQ(result.loss, 0);
  for (const Tensor& gradient : result.gradients) EXPECT_FALSE(gradient.defined());
}

std::atomic<int> handled = 0;

// Calls a handler in the calling thread, again and again, until this ends.
class Interruptions {
 public:
  Interruptions() : before_(std::signal(SIGUSR1, [](int) { ++handled; })) {
    sender_ = std::thread([this, target = pthread_self()] {
      while (!done_) {
        pthread_kill(target, SIGUSR1);
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    });
  }
  ~Interruptions() {
    done_ = true;
    sender_.join();
    std::signal(SIGUSR1, before_);
  }

 private:
  void (*before_)(int);
  std::atomic<bool> done_ = false;
  std::thread sender_;
};

// oneDNN's products, which are large enough here to go through its generated code, must not be
// interrupted: a handler's frame would spoil the heap.
TEST(Step, SignalsDoNotDisturbIt) {
  EncoderConfig config;
  config.vocabulary = 40;
  config.hidden = 256;
  config.layers = 1;
  config.heads = 4;
  config.intermediate = 512;
  config.positions = 40;
  MemoryConfig memory;
  memory.vocabulary = 20;
  memory.word_dimension = 6;
  memory.filters = 300;
  const ModelWeights model = test::random_model(config, memory, 3);
  Twin twin(model);
  Head head(256);
  const StepBatch batch = random_step(model);
  StepOptions options;
  options.trained = {true, true};
  std::vector<Tensor> parameters = twin->parameters();
  for (Tensor& parameter : parameters) parameter.requires_grad_(true);
  const StepResult calm = compute_step(twin, head, batch, parameters, options);
  const Interruptions interruptions;
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(compute_step(twin, head, batch, parameters, options).loss, calm.loss);
  EXPECT_GT(handled, 0);
}

}  // namespace
}  // namespace memmatch::train
