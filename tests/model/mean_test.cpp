#include "model/mean.h"

#include <gtest/gtest.h>

#include "memmatch/error.h"
#include "model/tiny_model.h"

namespace memmatch {
namespace {

ModelData shifted(ModelData model, float by) {
  const auto shift = [&](const std::string&, const TensorShape&, std::vector<float>& values) {
    for (float& value : values) value += by;
  };
  visit_encoder(model.weights.encoder, shift);
  visit_memory(*model.weights.memory, shift);
  return model;
}

TEST(Mean, IsOfEveryNumber) {
  const ModelData model = test::tiny_model();
  const ModelData between = mean(model, shifted(model, 4), 0.75);
  const ModelData expected = shifted(model, 1);
  std::vector<float> numbers;
  const auto collect = [&](const std::string&, const TensorShape&, const auto& values) {
    numbers.insert(numbers.end(), values.begin(), values.end());
  };
  visit_encoder(between.weights.encoder, collect);
  visit_memory(*between.weights.memory, collect);
  std::size_t next = 0;
  const auto compare = [&](const std::string& name, const TensorShape&, const auto& values) {
    for (const float value : values) ASSERT_NEAR(numbers.at(next++), value, 1e-6) << name;
  };
  visit_encoder(expected.weights.encoder, compare);
  visit_memory(*expected.weights.memory, compare);
  EXPECT_EQ(next, numbers.size());
}

TEST(Mean, IsThereForModelsThatDifferInNothingElse) {
  const ModelData model = test::tiny_model();
  ModelData other = model;
  other.weights.memory->config.lengths = {6, 12, 17};
  EXPECT_THROW(mean(model, other), Error);
  other = model;
  other.memory_vocabulary->entries.back().piece = "moon";
  EXPECT_THROW(mean(model, other), Error);
  other = model;
  other.weights.memory.reset();
  other.memory_vocabulary.reset();
  EXPECT_THROW(mean(model, other), Error);
  EXPECT_THROW(mean(model, model, 1.5), Error);
  EXPECT_EQ(fingerprint(mean(model, model)), fingerprint(model));
}

}  // namespace
}  // namespace memmatch
