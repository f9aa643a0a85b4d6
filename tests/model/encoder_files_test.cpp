#include "model/encoder_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "model/tiny_model.h"
#include "support.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

// The folder of a tiny encoder, as another program would have written it.
class EncoderFilesTest : public testing::Test {
 protected:
  EncoderFilesTest() {
    ModelConfig config;
    config.encoder = test::tiny_encoder_config();
    folder_.write("config.json", model_config_text(config));
    folder_.write("vocab.txt", test::tiny_vocab_txt());
    visit_encoder(model_.weights.encoder, [&](const std::string& name, const TensorShape& shape,
                                              const std::vector<float>& values) {
      tensors_.push_back({name, shape, values});
    });
  }

  void write(const std::string& name = "model.safetensors", Storage storage = Storage::fp32) {
    write_safetensors(folder_ / name, tensors_, storage);
  }

  TensorView& tensor(std::string_view name) {
    return *std::find_if(tensors_.begin(), tensors_.end(),
                         [&](const TensorView& view) { return view.name == name; });
  }

  void change_config(const std::string& field, const nlohmann::json& value) {
    auto config = nlohmann::ordered_json::parse(read_file(folder_ / "config.json"));
    config[field] = value;
    folder_.write("config.json", config.dump());
  }

  ModelData load() { return load_model(folder_ / ""); }

  // That loading fails, with all of `parts` in the message.
  void expect_refused(ErrorKind kind, std::initializer_list<const char*> parts) {
    const Error error = test::error_of([&] { load(); });
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const char* part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  test::TemporaryFolder folder_;
  ModelData model_ = test::tiny_model();
  std::vector<TensorView> tensors_;
  std::vector<float> spare_;
};

TEST_F(EncoderFilesTest, ABareEncoderIsReadWhole) {
  write();
  const ModelData model = load();
  EXPECT_FALSE(model.weights.memory);
  EXPECT_FALSE(model.memory_vocabulary);
  EXPECT_EQ(model.weights.encoder.word_embeddings, model_.weights.encoder.word_embeddings);
  const EncoderLayerWeights& layer = model.weights.encoder.layers.at(0);
  const EncoderLayerWeights& expected = model_.weights.encoder.layers.at(0);
  EXPECT_EQ(layer.query.weight, expected.query.weight);
  EXPECT_EQ(layer.output.bias, expected.output.bias);
  EXPECT_EQ(layer.intermediate.in, 8);
  EXPECT_EQ(layer.intermediate.out, 12);
  EXPECT_EQ(layer.output_norm.weight, expected.output_norm.weight);
}

TEST_F(EncoderFilesTest, PrefixedNamesHeadsAndOldLayerNormsAreUnderstood) {
  write();
  const ContentHash plain = fingerprint(load());
  for (TensorView& view : tensors_) {
    std::string& name = view.name;
    if (name.ends_with("LayerNorm.weight")) name.replace(name.size() - 6, 6, "gamma");
    if (name.ends_with("LayerNorm.bias")) name.replace(name.size() - 4, 4, "beta");
    name = "bert." + name;
  }
  spare_.assign(64, 0.5f);
  tensors_.push_back({"bert.pooler.dense.weight", {8, 8}, spare_});
  tensors_.push_back({"cls.predictions.transform.dense.weight", {8, 8}, spare_});
  tensors_.push_back({"bert.embeddings.position_ids", {1, 64}, spare_});
  write();
  EXPECT_EQ(fingerprint(load()), plain);
}

TEST_F(EncoderFilesTest, TheWeightsMayBeNamedForTheirPrecision) {
  write("model.fp16.safetensors", Storage::fp16);
  const ModelData model = load();
  EXPECT_NEAR(model.weights.encoder.word_embeddings[5], model_.weights.encoder.word_embeddings[5],
              1e-3);
  EXPECT_EQ(fingerprint(load_model(folder_ / "model.fp16.safetensors")), fingerprint(model));
}

TEST_F(EncoderFilesTest, PytorchsOwnFormatIsRefusedWithAdvice) {
  folder_.write("pytorch_model.bin", "PK\x03\x04");
  expect_refused(ErrorKind::unsupported,
                 {"pytorch_model.bin", "Fetch model.safetensors", "safetensors.torch.save_file"});
  EXPECT_EQ(test::error_of([&] { load_model(folder_ / "pytorch_model.bin"); }).kind(),
            ErrorKind::unsupported);
}

TEST_F(EncoderFilesTest, WeightsInSeveralFilesAreRefused) {
  folder_.write("model.safetensors.index.json", "{}");
  expect_refused(ErrorKind::unsupported, {"model.safetensors.index.json", "several files"});
}

TEST_F(EncoderFilesTest, MissingFilesAreNamed) {
  expect_refused(ErrorKind::not_found, {"model.safetensors"});
  write();
  fs::remove(folder_ / "vocab.txt");
  expect_refused(ErrorKind::not_found, {"tokenizer.json or vocab.txt"});
  fs::remove(folder_ / "config.json");
  expect_refused(ErrorKind::not_found, {"config.json"});
  EXPECT_EQ(test::error_of([&] { load_model(folder_ / "nowhere"); }).kind(), ErrorKind::not_found);
  EXPECT_EQ(test::error_of([&] { load_model(folder_.write("notes.txt", "")); }).kind(),
            ErrorKind::invalid_argument);
}

TEST_F(EncoderFilesTest, EveryMissingTensorIsNamed) {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const TensorView removed = tensors_[i];
    tensors_.erase(tensors_.begin() + static_cast<std::ptrdiff_t>(i));
    write();
    expect_refused(ErrorKind::corrupt,
                   {"model.safetensors", ("'" + removed.name + "' is missing").c_str()});
    tensors_.insert(tensors_.begin() + static_cast<std::ptrdiff_t>(i), removed);
  }
}

TEST_F(EncoderFilesTest, EveryMisshapedTensorIsNamed) {
  for (TensorView& view : tensors_) {
    const TensorView whole = view;
    view.shape[0] -= 1;
    view.values = view.values.first(view.values.size() / whole.shape[0] * view.shape[0]);
    write();
    expect_refused(ErrorKind::corrupt, {"model.safetensors", ("'" + view.name + "'").c_str(),
                                        to_string(whole.shape).c_str()});
    view = whole;
  }
}

TEST_F(EncoderFilesTest, ATransposedTensorIsMisshaped) {
  tensor("encoder.layer.0.output.dense.weight").shape = {12, 8};
  write();
  expect_refused(ErrorKind::corrupt, {"encoder.layer.0.output.dense.weight", "[12, 8]", "[8, 12]"});
}

TEST_F(EncoderFilesTest, NanWeightsAreRefusedWithTheTensorsName) {
  TensorView& view = tensor("encoder.layer.0.intermediate.dense.weight");
  spare_.assign(view.values.begin(), view.values.end());
  spare_.back() = std::numeric_limits<float>::quiet_NaN();
  view.values = spare_;
  write();
  expect_refused(ErrorKind::corrupt, {"encoder.layer.0.intermediate.dense.weight", "NaN"});
}

TEST_F(EncoderFilesTest, AConfigThatDoesNotFitTheWeightsIsRefused) {
  write();
  change_config("num_hidden_layers", 2);
  expect_refused(ErrorKind::corrupt, {"'encoder.layer.1.attention.self.query.weight' is missing"});
  change_config("num_hidden_layers", 1);
  change_config("intermediate_size", 16);
  expect_refused(ErrorKind::corrupt, {"encoder.layer.0.intermediate.dense.weight", "[12, 8]"});
  change_config("intermediate_size", 12);
  change_config("vocab_size", 9'999'999);
  expect_refused(ErrorKind::corrupt, {"embeddings.word_embeddings.weight", "[9999999, 8]"});
}

TEST_F(EncoderFilesTest, MoreLayersThanTheConfigSaysAreRefused) {
  tensors_.push_back(tensor("encoder.layer.0.output.dense.bias"));
  tensors_.back().name = "encoder.layer.1.output.dense.bias";
  write();
  expect_refused(ErrorKind::corrupt, {"encoder.layer.1.output.dense.bias", "has no place"});
}

TEST_F(EncoderFilesTest, UnsupportedNetworksAreRefused) {
  write();
  change_config("hidden_act", "gelu_new");
  expect_refused(ErrorKind::unsupported, {"config.json", "hidden_act", "gelu_new"});
  change_config("hidden_act", "gelu");
  change_config("position_embedding_type", "relative_key_query");
  expect_refused(ErrorKind::unsupported, {"config.json", "position_embedding_type"});
}

TEST_F(EncoderFilesTest, ATokenizerThatDoesNotFitIsRefused) {
  write();
  folder_.write("vocab.txt", test::tiny_vocab_txt() + "extra\n");
  expect_refused(ErrorKind::corrupt, {"vocab.txt", "33 pieces", "32"});
  folder_.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\ncat\n");
  expect_refused(ErrorKind::corrupt, {"vocab.txt", "[SEP]"});
}

TEST_F(EncoderFilesTest, EveryTruncationOfTheWeightsIsRefused) {
  write();
  const std::string bytes = read_file(folder_ / "model.safetensors");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto file = std::as_bytes(std::span(bytes)).first(size);
    EXPECT_THROW(parse_safetensors(file, "truncated"), Error) << size;
  }
}

}  // namespace
}  // namespace memmatch
