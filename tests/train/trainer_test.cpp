#include "train/trainer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <map>
#include <random>

#include "data/claims.h"
#include "engine/encoder.h"
#include "eval/gold_evidence.h"
#include "memmatch/verifier.h"
#include "model/model_files.h"
#include "model/sequences.h"
#include "model/tensor_names.h"
#include "tiny_world.h"

namespace memmatch::train {
namespace {

using test::expect_same_run;
using test::TinyWorld;
namespace fs = std::filesystem;

// From random weights to no mistake at any level: recipes/tiny.toml.
TEST(TinyWorldTest, IsLearnedCompletely) {
  const TinyWorld world;
  const Recipe recipe = world.recipe();
  TrainOptions options = world.options("run");
  options.checkpoint_steps = 0;
  ASSERT_TRUE(train(recipe, options).finished);

  Verifier verifier = Verifier::open(world / "tiny.db", world / "run/latest", {.threads = 1});
  SearchOptions search;
  search.k1 = static_cast<int>(recipe.stages.back().k1);
  search.z = static_cast<int>(recipe.stages.back().z);
  search.explain = true;
  data::ClaimReader reader(TinyWorld::source() / "claims.jsonl");
  int claims = 0, verifiable = 0;
  for (data::Claim claim; reader.next(claim); ++claims) {
    const Verdict verdict = verifier.verify(claim.text, search);
    EXPECT_EQ(verdict.label, *claim.label) << claim.text;
    if (*claim.label == Label::unverifiable) continue;
    ++verifiable;
    const Cover cover = verifier.store().cover(claim.text);
    const SentenceId gold = eval::find_gold_evidence(verifier.store(), claim, cover).chosen.at(0);
    EXPECT_EQ(verdict.beams->level1.at(0).id, gold) << "level 1: " << claim.text;
    EXPECT_EQ(verdict.beams->level2.at(0).id, gold) << "level 2: " << claim.text;
  }
  EXPECT_GE(claims, 24);
  EXPECT_GE(verifiable, 16);
}

// --- What is frozen does not move, not by a bit ---

using Tensors = std::map<std::string, std::vector<float>>;

Tensors tensors_of(const fs::path& folder) {
  ModelWeights weights = load_model(folder).weights;
  Tensors tensors;
  visit_encoder(weights.encoder,
                [&](const std::string& name, const TensorShape&, std::vector<float>& values) {
                  tensors["encoder." + name] = values;
                });
  if (!weights.memory) return tensors;
  for (std::size_t i = 0; i < weights.memory->levels.size(); ++i) {
    const std::string level = "level" + std::to_string(i + 1);
    tensors[level + ".embeddings"] = weights.memory->levels[i].embeddings;
    tensors[level + ".filters"] = weights.memory->levels[i].filters.weight;
    tensors[level + ".bias"] = weights.memory->levels[i].filters.bias;
  }
  return tensors;
}

class FreezingTest : public testing::Test {
 protected:
  // One epoch of a kind.
  Tensors train_epoch(const std::string& run, std::vector<std::string> settings) {
    settings.push_back("stage.1.epochs=1");
    Recipe recipe = world_.short_recipe(std::move(settings));
    recipe.stages.resize(1);
    if (recipe.stages[0].kind != "warmup") recipe.pairs.head_weight = 0;
    EXPECT_TRUE(train(recipe, world_.options(run)).finished);
    return tensors_of(world_ / run / "latest");
  }

  // Those in which the two differ.
  static std::set<std::string> moved(const Tensors& before, const Tensors& after) {
    std::set<std::string> names;
    for (const auto& [name, values] : before)
      if (after.at(name) != values) names.insert(name);
    return names;
  }

  static bool all_begin_with(const std::set<std::string>& names, const std::string& prefix) {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.starts_with(prefix); });
  }

  // A setting by which a run starts from another's model.
  std::string start(const std::string& run) const {
    return "model.start='" + (world_ / run / "latest").string() + "'";
  }

  TinyWorld world_;
};

TEST_F(FreezingTest, AMemoryEpochLeavesTheEncoderAndAnEncoderEpochTheMemoryLayers) {
  const Tensors bare = tensors_of(TinyWorld::source() / "encoder");
  const Tensors first = train_epoch(
      "memory", {"stage.1.kind=match", "stage.1.updates=memory", "stage.1.pairs_share=0"});
  EXPECT_EQ(moved(bare, first), std::set<std::string>{});
  const Tensors second = train_epoch(
      "encoder",
      {start("memory"), "stage.1.kind=match", "stage.1.updates=encoder", "stage.1.pairs_share=0"});
  const std::set<std::string> by_encoder = moved(first, second);
  EXPECT_TRUE(all_begin_with(by_encoder, "encoder."));
  EXPECT_GT(by_encoder.size(), 30u) << "of 37 tensors";
  const Tensors third = train_epoch("again", {start("encoder"), "stage.1.kind=match",
                                              "stage.1.updates=memory", "stage.1.pairs_share=0"});
  const std::set<std::string> by_memory = moved(second, third);
  EXPECT_TRUE(all_begin_with(by_memory, "level"));
  for (const char* level : {"level1", "level2", "level3"}) {
    // The biases cancel out in the differences.
    EXPECT_TRUE(by_memory.contains(std::string(level) + ".embeddings"));
    EXPECT_TRUE(by_memory.contains(std::string(level) + ".filters"));
  }
  const Tensors fourth = train_epoch("warmup", {start("again")});
  const std::set<std::string> by_warm_up = moved(third, fourth);
  EXPECT_TRUE(all_begin_with(by_warm_up, "encoder."));
  EXPECT_GT(by_warm_up.size(), 30u);
  // The padding's word embedding is zero for ever.
  const std::vector<float>& embeddings = fourth.at("level1.embeddings");
  EXPECT_TRUE(std::all_of(embeddings.begin(), embeddings.begin() + 8,
                          [](float value) { return value == 0; }));
}

TEST_F(FreezingTest, FrozenEmbeddingsAndLayersStay) {
  const Tensors bare = tensors_of(TinyWorld::source() / "encoder");
  const std::set<std::string> layers =
      moved(bare, train_epoch("layers", {"encoder.freeze_embeddings=true"}));
  EXPECT_TRUE(all_begin_with(layers, "encoder.encoder.layer."));
  EXPECT_GT(layers.size(), 25u);
  const std::set<std::string> upper = moved(
      bare, train_epoch("upper", {"encoder.freeze_embeddings=true", "stage.1.freeze_layers=1"}));
  EXPECT_TRUE(all_begin_with(upper, "encoder.encoder.layer.1."));
  EXPECT_GT(upper.size(), 12u);
}

TEST_F(FreezingTest, AStageThatTrainsLevel1AloneLeavesTheOtherLevels) {
  const std::vector<std::string> memory = {"stage.1.kind=match", "stage.1.updates=memory",
                                           "stage.1.pairs_share=0"};
  const Tensors before = train_epoch("all", memory);
  for (const char* loss : {"matching", "ranking"}) {
    std::vector<std::string> settings = memory;
    settings.push_back(start("all"));
    settings.push_back("stage.1.levels=[1]");
    settings.push_back(std::string("stage.1.level1_loss=") + loss);
    const std::set<std::string> after = moved(before, train_epoch(loss, settings));
    EXPECT_TRUE(all_begin_with(after, "level1.")) << loss;
    EXPECT_TRUE(after.contains("level1.embeddings") && after.contains("level1.filters")) << loss;
  }
  std::vector<std::string> settings = memory;
  settings.insert(settings.end(),
                  {start("all"), "stage.1.levels=[1]", "stage.1.level1_start=words"});
  EXPECT_TRUE(all_begin_with(moved(before, train_epoch("words", settings)), "level1."));
}

TEST_F(FreezingTest, WithheldEvidenceOtherPairsAndWeightsReachTheSteps) {
  const std::vector<std::string> memory = {"stage.1.kind=match", "stage.1.updates=memory",
                                           "pairs.in_batch_negatives=0"};
  const auto run = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> settings = memory;
    settings.push_back(start("before"));
    settings.insert(settings.end(), more.begin(), more.end());
    return train_epoch(name, settings);
  };
  const Tensors before = train_epoch("before", memory);
  const std::set<std::string> withheld =
      moved(before, run("withheld", {"stage.1.withheld_share=0.999999", "stage.1.pairs_share=0"}));
  EXPECT_TRUE(all_begin_with(withheld, "level3."));
  EXPECT_TRUE(withheld.contains("level3.filters"));
  const std::set<std::string> weightless =
      moved(before, run("weightless", {"stage.1.level1_weight=0", "stage.1.pairs_share=0"}));
  EXPECT_FALSE(weightless.contains("level1.filters"));
  EXPECT_TRUE(weightless.contains("level2.filters"));
  const Tensors alone = run("alone", {"stage.1.pairs_share=0"});
  const std::set<std::string> by_pairs = moved(alone, run("pairs", {"stage.1.pairs_share=0.5"}));
  EXPECT_TRUE(all_begin_with(by_pairs, "level3."));
  EXPECT_TRUE(by_pairs.contains("level3.filters"));
}

// --- Errors ---

class TrainErrorsTest : public testing::Test {
 protected:
  // Trains for some steps and stops.
  void train_steps(const std::string& run, int steps) {
    std::atomic<bool> stop = false;
    TrainOptions options = world_.options(run);
    options.stop = &stop;
    options.say = [&](const std::string& line, bool) {
      if (line.find(": step ") != std::string::npos && --steps == 0) stop = true;
    };
    ASSERT_FALSE(train(world_.short_recipe(), options).finished);
  }

  TrainOptions resuming(const std::string& run) const {
    TrainOptions options = world_.options(run);
    options.resume = true;
    return options;
  }

  Error error_of(const Recipe& recipe, const TrainOptions& options) {
    return test::error_of([&] { train(recipe, options); });
  }

  static bool says(const Error& error, const std::string& text) {
    return std::string(error.what()).find(text) != std::string::npos;
  }

  TinyWorld world_;
};

TEST_F(TrainErrorsTest, ARunThatIsThereIsNotOverwritten) {
  train_steps("run", 1);
  const Error error = error_of(world_.short_recipe(), world_.options("run"));
  EXPECT_EQ(error.kind(), ErrorKind::conflict);
  EXPECT_TRUE(says(error, "--resume")) << error.what();
}

TEST_F(TrainErrorsTest, ThereMustBeARunToResume) {
  const Error error = error_of(world_.short_recipe(), resuming("nothing"));
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_TRUE(says(error, "without --resume")) << error.what();
  EXPECT_FALSE(fs::exists(world_ / "nothing"));
}

// Both ways out are open to who has mistyped a name.
TEST_F(TrainErrorsTest, ARunThatEndedBeforeItsFirstCheckpointBeginsAgain) {
  for (const std::string setting :
       {"data.store=missing.db", "data.train=['missing.jsonl']", "data.dev=missing.jsonl",
        "source.1.file=missing.jsonl", "model.start=missing"}) {
    const Error error = error_of(world_.short_recipe({setting}), world_.options("run"));
    EXPECT_EQ(error.kind(), ErrorKind::not_found) << setting;
    EXPECT_TRUE(says(error, "missing")) << error.what();
  }
  std::atomic<bool> stop = true;
  TrainOptions options = resuming("run");
  options.stop = &stop;
  EXPECT_FALSE(train(world_.short_recipe(), options).finished);
  EXPECT_TRUE(fs::exists(world_ / "run/checkpoint/state.json"));
}

TEST_F(TrainErrorsTest, ADivergedRunLeavesACheckpointToGoOnFrom) {
  train(world_.short_recipe(), world_.options("whole"));
  // In the first memory epoch, in the middle of it, and at its very end.
  for (const int steps : {6, 8, 11}) {
    const std::string run = "run" + std::to_string(steps);
    train_steps(run, steps);
    TrainOptions options = resuming(run);
    options.checkpoint_steps = 1;
    const Error error = error_of(world_.short_recipe({"memory.learning_rate=1e30"}), options);
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_TRUE(says(error, "learning_rate")) << error.what();
    for (const auto& [name, values] : tensors_of(world_ / run / "checkpoint/model")) {
      EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float value) {
        return std::abs(value) < 100;
      })) << name;
    }
    ASSERT_TRUE(train(world_.short_recipe(), resuming(run)).finished);
    expect_same_run(world_ / run, world_ / "whole");
  }
}

TEST_F(TrainErrorsTest, ADamagedCheckpointIsNamed) {
  train_steps("run", 3);
  for (const std::string name : {"state.json", "beams.jsonl", "training.safetensors", "hashes.json",
                                 "model/model.safetensors", "model/config.json"}) {
    const fs::path file = world_ / "run/checkpoint" / name;
    const std::string content = read_file(file);
    for (const std::size_t left : {std::size_t{0}, content.size() / 2}) {
      std::ofstream(file, std::ios::binary) << content.substr(0, left);
      const Error error = error_of(world_.short_recipe(), resuming("run"));
      EXPECT_TRUE(says(error, (world_ / "run").string())) << name << ": " << error.what();
    }
    // A changed bit, wherever it is.
    std::mt19937 random(7);
    for (int i = 0; i < 20; ++i) {
      std::string changed = content;
      changed[random() % changed.size()] ^= static_cast<char>(1 << random() % 8);
      std::ofstream(file, std::ios::binary) << changed;
      const Error error = error_of(world_.short_recipe(), resuming("run"));
      EXPECT_TRUE(says(error, (world_ / "run").string())) << name << ": " << error.what();
    }
    fs::remove(file);
    if (name != "state.json" && name != "hashes.json") {
      const Error error = error_of(world_.short_recipe(), resuming("run"));
      EXPECT_TRUE(says(error, file.parent_path().string())) << error.what();
    }
    std::ofstream(file, std::ios::binary) << content;
  }
  std::atomic<bool> stop = true;
  TrainOptions options = resuming("run");
  options.stop = &stop;
  EXPECT_EQ(train(world_.short_recipe(), options).steps, 3) << "whole again";
}

// Of the tiny world's claims by themselves: the mean cosine between two models' embeddings.
double likeness(const fs::path& one, const fs::path& other) {
  std::vector<std::vector<float>> embeddings;
  std::size_t hidden = 0;
  for (const fs::path& path : {one, other}) {
    ModelData model = load_model(path);
    const SequenceWriter writer(model);
    engine::PackedBatch batch;
    data::ClaimReader claims(TinyWorld::source() / "claims.jsonl");
    for (data::Claim claim; claims.next(claim);) {
      const Sequence sequence = writer.plain(claim.text, 20);
      batch.add(sequence.tokens, sequence.words);
    }
    const engine::Engine engine(model.weights, engine::Precision::fp32);
    hidden = static_cast<std::size_t>(engine.dimension(engine::Pooling::mean));
    embeddings.emplace_back(static_cast<std::size_t>(batch.sequences()) * hidden);
    engine::Worker(engine).encode(batch, engine::Pooling::mean, embeddings.back());
  }
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t row = 0; row < embeddings[0].size(); row += hidden, ++count) {
    double product = 0, square0 = 0, square1 = 0;
    for (std::size_t i = row; i < row + hidden; ++i) {
      product += static_cast<double>(embeddings[0][i]) * embeddings[1][i];
      square0 += static_cast<double>(embeddings[0][i]) * embeddings[0][i];
      square1 += static_cast<double>(embeddings[1][i]) * embeddings[1][i];
    }
    sum += product / std::sqrt(square0 * square1);
  }
  return sum / static_cast<double>(count);
}

TEST(EmbeddingTest, AreKeptLikeThoseOfTheStart) {
  const TinyWorld world;
  ASSERT_TRUE(train(world.short_recipe({"embedding.like=''"}), world.options("free")).finished);
  ASSERT_TRUE(train(world.short_recipe({"embedding.weight=5"}), world.options("kept")).finished);
  const fs::path start = TinyWorld::source() / "encoder";
  EXPECT_GT(likeness(start, world / "kept/latest"), likeness(start, world / "free/latest"));
}

TEST_F(TrainErrorsTest, ACheckpointOfAnEarlierVersionHasNoHashes) {
  train_steps("run", 3);
  fs::remove(world_ / "run/checkpoint/hashes.json");
  std::atomic<bool> stop = true;
  TrainOptions options = resuming("run");
  options.stop = &stop;
  EXPECT_EQ(train(world_.short_recipe(), options).steps, 3);
}

TEST_F(TrainErrorsTest, ARecipeThatNoLongerFitsTheCheckpointIsRefused) {
  train_steps("run", 8);
  EXPECT_EQ(error_of(world_.short_recipe({"stage.2.claims=30"}), resuming("run")).kind(),
            ErrorKind::corrupt);
  EXPECT_EQ(error_of(world_.short_recipe({"memory.optimizer=adam"}), resuming("run")).kind(),
            ErrorKind::corrupt);
  Recipe recipe = world_.short_recipe();
  recipe.stages.resize(1);
  EXPECT_EQ(error_of(recipe, resuming("run")).kind(), ErrorKind::invalid_argument);
}

// No file may grow beyond the limit while this lives; writing to one that would fails.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(TrainErrorsTest, AFullDiskLeavesTheLastCheckpoint) {
  train(world_.short_recipe(), world_.options("whole"));
  train_steps("run", 3);
  const std::string state = read_file(world_ / "run/checkpoint/state.json");
  const std::string model = read_file(world_ / "run/checkpoint/model/model.safetensors");
  {
    const FileSizeLimit limit(model.size() / 2);
    const Error error = error_of(world_.short_recipe(), resuming("run"));
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_TRUE(says(error, "model.safetensors")) << error.what();
  }
  EXPECT_EQ(read_file(world_ / "run/checkpoint/state.json"), state);
  EXPECT_TRUE(read_file(world_ / "run/checkpoint/model/model.safetensors") == model);
  for (const auto& entry : fs::directory_iterator(world_ / "run"))
    EXPECT_NE(entry.path().filename().string()[0], '.') << entry.path() << " was left behind";
  ASSERT_TRUE(train(world_.short_recipe(), resuming("run")).finished);
  expect_same_run(world_ / "run", world_ / "whole");
}

}  // namespace
}  // namespace memmatch::train
