#include "train/plan.h"

#include <gtest/gtest.h>

namespace memmatch::train {
namespace {

Recipe recipe_with(const StageRecipe& stage) {
  Recipe recipe;
  recipe.memory.learning_rate = 2;
  recipe.encoder.learning_rate = 4;
  recipe.encoder.warm_up = 0;
  recipe.stages = {stage};
  return recipe;
}

Rates rates_of(const Recipe& recipe, const RunState& state) {
  return plan_of(recipe.stages[0], 100, state).rates(recipe, state);
}

TEST(Plan, AStagesFactorsScaleTheLearningRates) {
  const StageRecipe stage{
      .epochs = 1, .batch = 10, .updates = "joint", .memory_rate = 0.5, .encoder_rate = 0.25};
  const Rates rates = rates_of(recipe_with(stage), {});
  EXPECT_DOUBLE_EQ(rates.memory, 1);
  EXPECT_DOUBLE_EQ(rates.encoder, 1);
}

TEST(Plan, RatesFallToNothingOverTheStage) {
  Recipe recipe = recipe_with({.epochs = 2, .batch = 10, .updates = "joint"});
  recipe.memory.decay = true;
  RunState state;  // 20 steps in all
  state.stage_step = state.encoder_step = 15;
  EXPECT_DOUBLE_EQ(rates_of(recipe, state).memory, 0.5);
  EXPECT_DOUBLE_EQ(rates_of(recipe, state).encoder, 1);
  recipe.memory.decay = false;
  EXPECT_DOUBLE_EQ(rates_of(recipe, state).memory, 2);
}

// Memory layers first; then memory layers only, once the encoder has had its epochs.
TEST(Plan, AlternatesAsThePaperDoes) {
  const StageRecipe stage{.epochs = 6, .updates = "alternate", .encoder_epochs = 2};
  std::string kinds;
  RunState state;
  for (; state.epoch < stage.epochs; ++state.epoch) {
    const Plan plan = plan_of(stage, 100, state);
    kinds += plan.kind[0];
    if (plan.trained.encoder) ++state.encoder_epochs;
  }
  EXPECT_EQ(kinds, "mememm");
}

}  // namespace
}  // namespace memmatch::train
