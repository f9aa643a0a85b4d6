#include "train/recipe.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "support.h"

namespace memmatch::train {
namespace {

using test::TemporaryFolder;

// The least that makes a recipe.
constexpr std::string_view kLeast = R"([data]
store = "facts.db"
train = ["claims.jsonl"]
[model]
start = "encoder"
[[stage]]
)";

Recipe read(std::string_view text, const std::vector<std::string>& settings = {}) {
  const TemporaryFolder folder;
  return read_recipe(folder.write("r.toml", text), settings);
}

std::string least_with(std::string_view more) { return std::string(kLeast) + std::string(more); }

// What is said about a recipe that cannot be used, without the folder.
std::string complaint(std::string_view text, const std::vector<std::string>& settings = {}) {
  const std::string what = test::error_of([&] { read(text, settings); }).what();
  const std::size_t file = what.find("r.toml:");
  return file == std::string::npos ? what : what.substr(file);
}

std::string complaint_about(const std::string& setting) { return complaint(kLeast, {setting}); }

TEST(Recipe, WhatIsNotWrittenIsThePapers) {
  const Recipe recipe = read(kLeast);
  EXPECT_EQ(recipe.seed, 1776u);
  EXPECT_EQ(recipe.model.filters, 1000);
  EXPECT_EQ(recipe.model.lengths, (std::vector<std::int64_t>{50, 100, 150}));
  EXPECT_EQ(recipe.memory.optimizer, "adadelta");
  EXPECT_EQ(recipe.memory.learning_rate, 1.0);
  EXPECT_EQ(recipe.encoder.learning_rate, 2e-5);
  EXPECT_EQ(recipe.encoder.warm_up, 0.1);
  EXPECT_EQ(recipe.encoder.weight_decay, 0.01);
  ASSERT_EQ(recipe.stages.size(), 1u);
  EXPECT_EQ(recipe.stages[0].batch, 9);
  EXPECT_EQ(recipe.stages[0].updates, "alternate");
  EXPECT_EQ(recipe.stages[0].encoder_epochs, 6);
  EXPECT_EQ(recipe.stages[0].k1, 10);
  EXPECT_EQ(recipe.stages[0].z, 3);
}

// Every field away from its default, so that one that is not written or not read is noticed.
Recipe unusual_recipe() {
  Recipe recipe;
  recipe.seed = 7;
  recipe.data = {"a \"b\"\\c.db", {"one.jsonl", "two.jsonl"}, "dev.jsonl", 5, 0.25, "fp32"};
  recipe.model = {"start", 3, 4, 5, {6, 7, 8}, {1, 2, 0}, 0.1};
  recipe.memory = {"adam", 1e-3, true, 2};
  recipe.encoder = {3e-7, 0.2, 0.5, 0.3, true, "auto"};
  recipe.pairs = {2, 3, 4, 0.125, 0.4};
  recipe.sources = {{"one pair.jsonl", 0.5}, {"two.jsonl", 3}};
  recipe.stages.push_back({"warmup",  2,         100, 4,    "joint", 1,   {1, 3}, "words",
                           "ranking", 9,         0.2, 2,    0.3,     0.6, 20,     5,
                           false,     "overlap", 0,   true, 0.15,    0.5});
  recipe.stages.emplace_back();
  return recipe;
}

TEST(Recipe, ReadsWhatItWrites) {
  const std::string text = to_toml(unusual_recipe());
  const Recipe back = read(text);
  EXPECT_EQ(to_toml(back), text);
  EXPECT_EQ(back.data.store, "a \"b\"\\c.db");
  EXPECT_EQ(back.data.train, (std::vector<std::string>{"one.jsonl", "two.jsonl"}));
  EXPECT_EQ(back.model.word_scale, 0.1);
  EXPECT_EQ(back.model.level_layers, (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_EQ(back.memory.clip_norm, 2.0);
  EXPECT_EQ(back.encoder.learning_rate, 3e-7);
  EXPECT_EQ(back.stages[0].freeze_layers, 2);
  EXPECT_EQ(back.stages[0].levels, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(back.stages[0].level1_start, "words");
  EXPECT_EQ(back.stages[0].level1_loss, "ranking");
  EXPECT_EQ(back.stages[0].level1_negatives, 9);
  EXPECT_EQ(back.stages[0].level1_weight, 0.2);
  EXPECT_FALSE(back.stages[0].reference);
  ASSERT_EQ(back.stages.size(), 2u);
  EXPECT_EQ(back.stages[0].memory_rate, 0.3);
  EXPECT_EQ(back.stages[0].encoder_rate, 0.6);
  EXPECT_EQ(back.stages[0].withheld_share, 0.15);
  EXPECT_EQ(back.stages[0].pairs_share, 0.5);
  EXPECT_TRUE(back.stages[0].from_best);
  ASSERT_EQ(back.sources.size(), 2u);
  EXPECT_EQ(back.sources[0].file, "one pair.jsonl");
  EXPECT_EQ(back.sources[1].weight, 3.0);
  EXPECT_EQ(back.stages[1].kind, "match");
}

TEST(Recipe, SettingsOverrideTheFile) {
  const Recipe recipe = read(
      least_with("epochs = 4\n[[stage]]\nepochs = 5\n"),
      {"seed=3", "encoder.dropout=0", "stage.2.epochs=6", "data.store=other.db",
       "data.train=['x.jsonl', 'y.jsonl']", "stage.1.reference=false", "stage.1.updates=joint"});
  EXPECT_EQ(recipe.seed, 3u);
  EXPECT_EQ(recipe.encoder.dropout, 0.0);
  EXPECT_EQ(recipe.stages[0].epochs, 4);
  EXPECT_EQ(recipe.stages[1].epochs, 6);
  EXPECT_EQ(recipe.data.store, "other.db");
  EXPECT_EQ(recipe.data.train, (std::vector<std::string>{"x.jsonl", "y.jsonl"}));
  EXPECT_FALSE(recipe.stages[0].reference);
  EXPECT_EQ(recipe.stages[0].updates, "joint");
}

TEST(Recipe, UnknownKeysAreNamedWithTheirLine) {
  EXPECT_EQ(complaint(least_with("epoch = 3\n")),
            "r.toml:7: there is no 'epoch' in [stage.1]; docs/training.md lists the keys");
  EXPECT_EQ(complaint("colour = 1\n" + std::string(kLeast)),
            "r.toml:1: there is no 'colour'; docs/training.md lists the keys");
  EXPECT_EQ(complaint(least_with("\n[memory]\noptimiser = 'adam'\n")),
            "r.toml:9: there is no 'optimiser' in [memory]; docs/training.md lists the keys");
}

TEST(Recipe, WrongTypesAreNamedWithTheirLine) {
  EXPECT_EQ(complaint(least_with("epochs = 'many'\n")),
            "r.toml:7: stage.1.epochs must be a number");
  EXPECT_EQ(complaint(least_with("epochs = 1.5\n")), "r.toml:7: stage.1.epochs must be a number");
  EXPECT_EQ(complaint(least_with("from_best = 'yes'\n")),
            "r.toml:7: stage.1.from_best must be true or false");
  EXPECT_EQ(complaint(least_with("kind = 3\n")), "r.toml:7: stage.1.kind must be a string");
  EXPECT_EQ(complaint("[data]\ntrain = 'claims.jsonl'\n"), "r.toml:2: data.train must be a list");
  EXPECT_EQ(complaint("[data]\ntrain = [\n  'a',\n  2]\n"),
            "r.toml:4: data.train must be a string");
  EXPECT_EQ(complaint("data = 3\n"), "r.toml:1: [data] must be a table");
  EXPECT_EQ(complaint("\n[stage]\nepochs = 2\n"), "r.toml:2: stages are written as [[stage]]");
}

TEST(Recipe, WhatIsNoTomlIsNamedWithItsLine) {
  EXPECT_TRUE(complaint("seed = 1\n[data\n").starts_with("r.toml:2: ")) << complaint("[data\n");
  const Error error = test::error_of([] { read_recipe("nowhere/r.toml", {}); });
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
}

TEST(Recipe, ValuesThatMakeNoSenseAreNamed) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"data.store=''", "data.store"},
      {"data.train=[]", "data.train"},
      {"data.unverifiable_share=1", "data.unverifiable_share"},
      {"data.precision=fp16", "data.precision"},
      {"data.dev_claims=-1", "data.dev_claims"},
      {"model.start=''", "model.start"},
      {"model.lengths=[50, 100]", "model.lengths"},
      {"model.filters=0", "model.filters"},
      {"memory.optimizer=sgd", "memory.optimizer"},
      {"memory.learning_rate=-1", "memory.learning_rate"},
      {"memory.clip_norm=-1", "memory.clip_norm"},
      {"encoder.dropout=1", "encoder.dropout"},
      {"encoder.warm_up=-0.1", "encoder.warm_up"},
      {"encoder.learning_rate=nan", "encoder.learning_rate"},
      {"pairs.level1_negatives=-1", "pairs.level1_negatives"},
      {"pairs.level2_negatives=-1", "pairs.level2_negatives"},
      {"pairs.in_batch_negatives=-1", "pairs.in_batch_negatives"},
      {"pairs.head_weight=-0.5", "pairs.head_weight"},
      {"stage.1.kind=rest", "stage.1.kind"},
      {"stage.1.updates=none", "stage.1.updates"},
      {"stage.1.search=google", "stage.1.search"},
      {"stage.1.levels=[]", "stage.1.levels"},
      {"stage.1.levels=[1, 4]", "stage.1.levels"},
      {"stage.1.level1_start=zero", "stage.1.level1_start"},
      {"stage.1.level1_loss=hinge", "stage.1.level1_loss"},
      {"stage.1.level1_negatives=-1", "stage.1.level1_negatives"},
      {"stage.1.level1_weight=-1", "stage.1.level1_weight"},
      {"stage.1.epochs=0", "stage.1.epochs"},
      {"stage.1.batch=0", "stage.1.batch"},
      {"stage.1.freeze_layers=-1", "stage.1.freeze_layers"},
      {"stage.1.memory_rate=-1", "stage.1.memory_rate"},
      {"stage.1.encoder_rate=-1", "stage.1.encoder_rate"},
      {"stage.1.k1=0", "stage.1.k1"},
      {"stage.1.withheld_share=1", "stage.1.withheld_share"},
      {"stage.1.pairs_share=0.5", "stage.1.pairs_share"},
      {"seed=-1", "seed"}};
  for (const auto& [setting, key] : bad) {
    const Error error = test::error_of([&] { read(kLeast, {setting}); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << setting;
    EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
  }
  EXPECT_EQ(complaint("[data]\nstore = 's'\ntrain = ['t']\n[model]\nstart = 'e'\n"),
            "recipe: there is no [[stage]]");
}

TEST(Recipe, SettingsThatCannotBeUsedAreQuoted) {
  EXPECT_EQ(complaint_about("encoder.dropout"),
            "--set encoder.dropout: must look like encoder.dropout=0");
  EXPECT_EQ(complaint_about("stage.2.epochs=1"),
            "--set stage.2.epochs=1: there is no table 'stage.2'");
  EXPECT_EQ(complaint_about("decoder.dropout=0"),
            "--set decoder.dropout=0: there is no table 'decoder'");
  for (const char* setting : {"encoder.droput=0", "encoder.dropout=much", "encoder.=0", "=",
                              "encoder.a b=1", "data.store='''x"}) {
    const Error error = test::error_of([&] { read(kLeast, {setting}); });
    EXPECT_TRUE(std::string(error.what()).starts_with(std::string("--set ") + setting))
        << error.what();
  }
}

TEST(Recipe, AllThatAreInTheRepositoryCanBeRead) {
  int recipes = 0;
  for (const auto& file : std::filesystem::directory_iterator(
           std::filesystem::path(MEMMATCH_SOURCE_DIR) / "recipes")) {
    if (file.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(read_recipe(file.path(), {})) << file.path();
    ++recipes;
  }
  EXPECT_GE(recipes, 2);
}

}  // namespace
}  // namespace memmatch::train
