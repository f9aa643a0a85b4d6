#include "model/model_files.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/hash.h"
#include "memmatch/model.h"
#include "model/tiny_model.h"
#include "support.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

class ModelFilesTest : public testing::Test {
 protected:
  fs::path path() const { return folder_ / "model"; }

  void save(const SaveOptions& options = {}) { save_model(model_, path(), options); }

  std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  test::TemporaryFolder folder_;
  ModelData model_ = test::tiny_model();
};

TEST_F(ModelFilesTest, WhatIsSavedIsLoaded) {
  save();
  const ModelData loaded = load_model(path());
  EXPECT_EQ(loaded.weights.memory->levels[1].embeddings,
            model_.weights.memory->levels[1].embeddings);
  EXPECT_EQ(loaded.weights.memory->levels[2].filters.weight,
            model_.weights.memory->levels[2].filters.weight);
  EXPECT_EQ(loaded.weights.memory->config.lengths, model_.weights.memory->config.lengths);
  EXPECT_EQ(loaded.memory_vocabulary->entries, model_.memory_vocabulary->entries);
  EXPECT_EQ(loaded.seed, 7u);
  EXPECT_EQ(loaded.search, SearchConfig{});
  EXPECT_EQ(fingerprint(loaded), fingerprint(model_));
  EXPECT_EQ(names_in(path()),
            (std::vector<std::string>{"config.json", "memory_vocabulary.txt", "model.safetensors",
                                      "tokenizer_config.json", "vocab.txt"}));
}

TEST_F(ModelFilesTest, SavingTwiceGivesTheSameBytes) {
  save();
  save_model(load_model(path()), folder_ / "again", {});
  for (const std::string& name : names_in(path())) {
    EXPECT_EQ(read_file(path() / name), read_file(folder_ / "again" / name)) << name;
  }
}

TEST_F(ModelFilesTest, AnExistingFolderIsReplacedOnlyByForce) {
  save();
  const Error error = test::error_of([&] { save(); });
  EXPECT_EQ(error.kind(), ErrorKind::conflict);
  model_.seed = 8;
  save({.storage = Storage::fp32, .force = true});
  EXPECT_EQ(load_model(path()).seed, 8u);
  EXPECT_EQ(names_in(folder_ / ""), (std::vector<std::string>{"model"}));
}

TEST_F(ModelFilesTest, AFolderWithOtherThingsIsNeverReplaced) {
  fs::create_directories(path() / "photographs");
  const Error error = test::error_of([&] { save({.storage = Storage::fp32, .force = true}); });
  EXPECT_EQ(error.kind(), ErrorKind::conflict);
  EXPECT_NE(std::string(error.what()).find("photographs"), std::string::npos);
  EXPECT_TRUE(fs::exists(path() / "photographs"));
}

TEST_F(ModelFilesTest, AFailedSaveLeavesNothing) {
  model_.weights.memory->levels[0].filters.bias[0] = 1e9f;
  EXPECT_THROW(save({.storage = Storage::fp16, .force = false}), Error);
  EXPECT_TRUE(names_in(folder_ / "").empty());
}

TEST_F(ModelFilesTest, TheFingerprintDoesNotDependOnTheFiles) {
  for (auto& level : model_.weights.memory->levels) {
    for (float& value : level.embeddings)
      value = 0.5f * static_cast<float>(static_cast<int>(value));
  }
  visit_encoder(model_.weights.encoder, [](const auto&, const auto&, std::vector<float>& values) {
    for (float& value : values) value = 0.125f * static_cast<float>(static_cast<int>(8 * value));
  });
  for (auto& level : model_.weights.memory->levels) {
    for (float& value : level.filters.weight) value = 0.25f;
    for (float& value : level.filters.bias) value = 0.25f;
  }
  save({.storage = Storage::fp16, .force = false});
  save_model(model_, folder_ / "fp32", {});
  EXPECT_EQ(fingerprint(load_model(path())), fingerprint(load_model(folder_ / "fp32")));
}

TEST_F(ModelFilesTest, TheFingerprintTellsEveryDifference) {
  const ContentHash original = fingerprint(model_);
  model_.seed = 99;  // where the numbers came from does not matter
  EXPECT_EQ(fingerprint(model_), original);
  const auto differs = [&](auto change) {
    ModelData changed = test::tiny_model();
    change(changed);
    return fingerprint(changed) != original;
  };
  EXPECT_TRUE(differs([](ModelData& m) { m.weights.encoder.layers[0].key.bias[3] += 1e-6f; }));
  EXPECT_TRUE(differs([](ModelData& m) { m.weights.memory->levels[2].embeddings.back() = 9; }));
  EXPECT_TRUE(differs([](ModelData& m) { m.weights.memory->config.lengths[0] = 5; }));
  EXPECT_TRUE(differs([](ModelData& m) { m.weights.memory->config.layers[1] = 1; }));
  EXPECT_TRUE(differs([](ModelData& m) { m.weights.encoder.config.heads = 4; }));
  EXPECT_TRUE(differs([](ModelData& m) { m.weights.encoder.config.layer_norm_epsilon = 1e-5; }));
  EXPECT_TRUE(differs([](ModelData& m) {
    std::swap(m.memory_vocabulary->entries[0], m.memory_vocabulary->entries[1]);
  }));
  EXPECT_TRUE(differs([](ModelData& m) {
    m.tokenizer = text::WordPiece(m.tokenizer.vocabulary(), {.lowercase = true});
  }));
  EXPECT_TRUE(differs([](ModelData& m) { m.weights.memory.reset(); }));
  EXPECT_TRUE(differs([](ModelData& m) { m.search.word_credit[1] = 0.5; }));
  EXPECT_TRUE(differs([](ModelData& m) { m.search.first_alone = true; }));
}

TEST_F(ModelFilesTest, VectorsDoNotDependOnTheSearch) {
  const ContentHash original = vector_fingerprint(model_);
  EXPECT_EQ(original, fingerprint(model_)) << "of a model that is searched as in the paper";
  model_.search = {.word_credit = {1, 2}, .first_alone = true};
  EXPECT_EQ(vector_fingerprint(model_), original);
  EXPECT_NE(fingerprint(model_), original);
}

TEST_F(ModelFilesTest, MissingMemoryLayersAreNamed) {
  const ModelConfig config = model_.config();
  model_.weights.memory.reset();
  save();
  folder_.write("model/config.json", model_config_text(config));
  const Error error = test::error_of([&] { load_model(path()); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("'memory.level1.embeddings.weight' is missing"),
            std::string::npos)
      << error.what();
}

TEST_F(ModelFilesTest, APaddingRowThatIsNotZeroIsRefused) {
  model_.weights.memory->levels[1].embeddings[0] = 0.5f;
  save();
  const Error error = test::error_of([&] { load_model(path()); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("memory.level2.embeddings.weight"), std::string::npos);
}

TEST_F(ModelFilesTest, AMemoryVocabularyThatDoesNotFitIsRefused) {
  model_.memory_vocabulary->entries.pop_back();
  save();
  const Error error = test::error_of([&] { load_model(path()); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("memory_vocabulary.txt"), std::string::npos);
  fs::remove(path() / "memory_vocabulary.txt");
  EXPECT_EQ(test::error_of([&] { load_model(path()); }).kind(), ErrorKind::not_found);
}

TEST_F(ModelFilesTest, AnExportIsAPlainEncoderWithTheMemoryBesideIt) {
  export_model(model_, path(), {});
  const ModelData encoder = load_model(path());
  EXPECT_FALSE(encoder.weights.memory);
  EXPECT_EQ(encoder.weights.encoder.layers[0].value.weight,
            model_.weights.encoder.layers[0].value.weight);
  const TensorFile memory = open_safetensors(path() / "memory.safetensors");
  EXPECT_EQ(memory.read(*memory.find("memory.level3.filters.bias")),
            model_.weights.memory->levels[2].filters.bias);
  const auto settings = nlohmann::json::parse(read_file(path() / "memory_config.json"));
  EXPECT_EQ(settings["filters"], 5);
  EXPECT_EQ(read_file(path() / "vocab.txt"), test::tiny_vocab_txt());
  EXPECT_FALSE(nlohmann::json::parse(read_file(path() / "config.json")).contains("memmatch"));
}

TEST_F(ModelFilesTest, TheLibrarysUserSeesWhatAModelIs) {
  save();
  const Model model = Model::open(path());
  const ModelInfo& info = model.info();
  EXPECT_EQ(info.hidden, 8);
  EXPECT_EQ(info.memory->filters, 5);
  EXPECT_EQ(info.memory->seed, 7u);
  EXPECT_FALSE(info.lowercases);
  EXPECT_EQ(info.fingerprint, fingerprint(model_));
  std::uint64_t stored = 0;
  const TensorFile file = open_safetensors(path() / "model.safetensors");
  for (const TensorInfo& tensor : file.tensors()) stored += tensor.elements;
  EXPECT_EQ(info.parameters(), stored);
}

}  // namespace
}  // namespace memmatch
