#include "model/onnx_bert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/float16.h"
#include "model/onnx_export.h"
#include "model/tokenizer_files.h"
#include "support.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;
using test::OnnxOperator;
using test::OnnxTensor;

class OnnxBertTest : public testing::Test, protected test::OnnxExport {
 protected:
  OnnxBertTest() {
    ModelConfig config;
    config.encoder = test::tiny_encoder_config();
    folder_.write("config.json", model_config_text(config));
    folder_.write("vocab.txt", test::tiny_vocab_txt());
  }

  OnnxTensor& tensor(const std::string& name) {
    const auto lost = matrices_.find(name);
    const std::string& wanted = lost == matrices_.end() ? name : lost->second;
    return *std::find_if(tensors_.begin(), tensors_.end(),
                         [&](const OnnxTensor& tensor) { return tensor.name == wanted; });
  }

  // The operator that a tensor goes into.
  OnnxOperator& user(const std::string& name) {
    const std::string& input = tensor(name).name;
    return *std::find_if(operators_.begin(), operators_.end(), [&](const OnnxOperator& node) {
      return std::find(node.inputs.begin(), node.inputs.end(), input) != node.inputs.end();
    });
  }

  void remove_operators(const std::string& operation) {
    std::erase_if(operators_, [&](const OnnxOperator& n) { return n.operation == operation; });
  }

  void change_config(const std::string& field, const nlohmann::json& value) {
    auto config = nlohmann::ordered_json::parse(read_file(folder_ / "config.json"));
    config[field] = value;
    folder_.write("config.json", config.dump());
  }

  ModelData load() {
    folder_.write("model.onnx", file());
    return load_model(folder_ / "model.onnx");
  }

  void expect_refused(ErrorKind kind, const std::vector<std::string>& parts) {
    const Error error = test::error_of([&] { load(); });
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find("model.onnx"), std::string::npos) << error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  void expect_not_plain(const std::vector<std::string>& parts) {
    std::vector<std::string> all = parts;
    all.push_back("not a plain BERT");
    expect_refused(ErrorKind::unsupported, all);
  }

  ContentHash expected() const {
    ModelData bare = test::tiny_model();
    bare.weights.memory.reset();
    bare.memory_vocabulary.reset();
    bare.tokenizer = load_vocab_txt(folder_ / "vocab.txt");
    return fingerprint(bare);
  }

  test::TemporaryFolder folder_;
};

const std::string kQuery = "encoder.layer.0.attention.self.query";
const std::string kInner = "encoder.layer.0.intermediate.dense";

TEST_F(OnnxBertTest, EveryWeightIsFoundUnderItsNameToTheBit) {
  const ModelData model = load();
  visit_encoder(model.weights.encoder, [&](const std::string& name, const TensorShape&,
                                           const std::vector<float>& values) {
    bool found = false;
    visit_encoder(model_.weights.encoder, [&](const std::string& other, const TensorShape&,
                                              const std::vector<float>& numbers) {
      if (other != name) return;
      found = true;
      EXPECT_EQ(values, numbers) << name;
    });
    EXPECT_TRUE(found) << name;
  });
  EXPECT_EQ(fingerprint(model), expected());
}

TEST_F(OnnxBertTest, ABiasMayBeAddedFromEitherSide) {
  for (OnnxOperator& node : operators_) {
    if (node.operation == "Add") std::swap(node.inputs[0], node.inputs[1]);
  }
  EXPECT_EQ(fingerprint(load()), expected());
}

TEST_F(OnnxBertTest, AMatrixThatKeptItsNameIsTransposedByTheGraph) {
  const std::string name = kInner + ".weight";
  OnnxOperator& product = user(name);
  tensor(name) = {
      name, {12, 8}, test::raw_bytes(model_.weights.encoder.layers[0].intermediate.weight)};
  product.inputs[1] = "columns";
  operators_.push_back({"Transpose", {name}, {"columns"}});
  EXPECT_EQ(fingerprint(load()), expected());
}

TEST_F(OnnxBertTest, PrefixesHeadsAndOtherTensorsDoNoHarm) {
  for (OnnxTensor& tensor : tensors_) {
    if (tensor.name.starts_with("onnx::")) continue;
    const std::string name = tensor.name;
    user(name).inputs[user(name).inputs[0] == name ? 0 : 1] = "bert." + name;
    tensor.name = "bert." + name;
  }
  const std::string numbers(32, '\0');
  tensors_.push_back({"bert.pooler.dense.weight", {8, 1}, numbers});
  tensors_.push_back({"cls.predictions.bias", {8}, numbers});
  tensors_.push_back({"onnx::MatMul_999", {1, 8}, numbers});
  tensors_.push_back({"half", {}, std::string(4, '\0')});
  tensors_.push_back({"bert.embeddings.position_ids", {4}, numbers, test::onnx_type::kInt64});
  operators_.push_back({"MatMul", {"states", "onnx::MatMul_999"}, {"words"}});
  operators_.push_back({"Add", {"words", "cls.predictions.bias"}, {"logits"}});
  EXPECT_EQ(fingerprint(load()), expected());
}

TEST_F(OnnxBertTest, HalvesAreRead) {
  for (OnnxTensor& tensor : tensors_) {
    std::vector<float> numbers(tensor.data.size() / 4);
    std::memcpy(numbers.data(), tensor.data.data(), tensor.data.size());
    std::vector<std::uint16_t> halves;
    for (const float number : numbers) halves.push_back(half_from_float(number));
    tensor.data = test::raw_bytes(halves);
    tensor.type = test::onnx_type::kFloat16;
  }
  const std::vector<float> weight = load().weights.encoder.layers[0].intermediate.weight;
  const std::vector<float>& whole = model_.weights.encoder.layers[0].intermediate.weight;
  ASSERT_EQ(weight.size(), whole.size());
  for (std::size_t i = 0; i < weight.size(); ++i)
    EXPECT_EQ(weight[i], float_from_half(half_from_float(whole[i]))) << i;
}

TEST_F(OnnxBertTest, TheFileIsFoundInAFolderOfItsOwn) {
  const std::string bytes = file();
  const ContentHash hash = expected();
  fs::create_directory(folder_ / "onnx");
  folder_.write("onnx/model.onnx", bytes);
  EXPECT_EQ(fingerprint(load_model(folder_.path())), hash);
  EXPECT_EQ(fingerprint(load_model(folder_ / "onnx")), hash);
  EXPECT_EQ(fingerprint(load_model(folder_ / "onnx/model.onnx")), hash);
  fs::rename(folder_ / "vocab.txt", folder_ / "onnx/vocab.txt");
  EXPECT_EQ(fingerprint(load_model(folder_.path())), hash);
  fs::remove(folder_ / "config.json");
  const Error error = test::error_of([&] { load_model(folder_.path()); });
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_NE(
      std::string(error.what()).find("onnx: holds no config.json and neither does the folder"),
      std::string::npos)
      << error.what();
}

TEST_F(OnnxBertTest, SafetensorsCountBeforeOnnx) {
  folder_.write("model.onnx", "nothing");
  EXPECT_THROW(load_model(folder_.path()), Error);
  ModelData bare = load();
  save_model(bare, folder_ / "saved", {});
  fs::copy(folder_ / "saved/model.safetensors", folder_ / "model.safetensors");
  folder_.write("model.onnx", "nothing");
  EXPECT_EQ(fingerprint(load_model(folder_.path())), expected());
}

TEST_F(OnnxBertTest, OperatorsOfOtherNetworksAreNamed) {
  for (const char* operation : {"DynamicQuantizeLinear", "MatMulInteger", "QLinearMatMul", "Cos",
                                "Sin", "Relu", "If", "Loop", ""}) {
    operators_.push_back({operation, {"x"}, {"y"}});
    expect_not_plain({std::string("operator '") + operation + "' of node '/" + operation + "'"});
    operators_.pop_back();
  }
  operators_.push_back({"Softmax", {"x"}, {"y"}, "com.microsoft"});
  expect_not_plain({"operator 'com.microsoft.Softmax'"});
  operators_.back().domain = "ai.onnx";
  EXPECT_EQ(fingerprint(load()), expected());
}

TEST_F(OnnxBertTest, OtherActivationsAndAttentionsAreRefused) {
  remove_operators("Erf");
  expect_not_plain({"1 layers, but 0 operators 'Erf'"});
  operators_.push_back({"Erf", {"inner"}, {"gelu"}});
  remove_operators("Softmax");
  expect_not_plain({"1 layers, but 0 operators 'Softmax'"});
}

TEST_F(OnnxBertTest, EveryMissingWeightIsNamed) {
  const std::vector<OnnxTensor> whole = tensors_;
  visit_encoder(model_.weights.encoder, [&](const std::string& name, const TensorShape&,
                                            const std::vector<float>&) {
    const std::string removed = tensor(name).name;
    std::erase_if(tensors_, [&](const OnnxTensor& t) { return t.name == removed; });
    const std::string layer = name.substr(0, name.rfind('.'));
    if (name.ends_with(".bias") && matrices_.contains(layer + ".weight")) {
      expect_not_plain({"'" + tensor(layer + ".weight").name + "'", "without a bias"});
    } else {
      expect_refused(ErrorKind::corrupt, {"'" + name + "' is missing"});
    }
    tensors_ = whole;
  });
}

TEST_F(OnnxBertTest, EveryMisshapedWeightIsNamed) {
  visit_encoder(model_.weights.encoder,
                [&](const std::string& name, const TensorShape& shape, const std::vector<float>&) {
                  const OnnxTensor whole = tensor(name);
                  OnnxTensor& changed = tensor(name);
                  changed.shape[0] += 1;
                  changed.data.resize(changed.data.size() / whole.shape[0] * changed.shape[0]);
                  expect_refused(ErrorKind::corrupt, {"'" + name + "'", to_string(shape)});
                  changed = whole;
                });
}

TEST_F(OnnxBertTest, AMatrixMustBeOne) {
  tensor(kQuery + ".weight").shape = {8, 8, 1};
  expect_not_plain({kQuery + ".weight", "[8, 8, 1]"});
}

TEST_F(OnnxBertTest, AConfigThatDoesNotFitIsRefused) {
  change_config("num_hidden_layers", 2);
  expect_refused(ErrorKind::corrupt, {"'encoder.layer.1.attention.self.query.weight' is missing"});
  change_config("num_hidden_layers", 1);
  change_config("intermediate_size", 16);
  expect_refused(ErrorKind::corrupt, {kInner + ".weight", "[12, 8]", "[16, 8]"});
}

TEST_F(OnnxBertTest, MoreLayersThanTheConfigSaysAreRefused) {
  tensors_.push_back(tensor("encoder.layer.0.output.dense.bias"));
  tensors_.back().name = "encoder.layer.1.output.dense.bias";
  operators_.push_back({"Add", {"more", tensors_.back().name}, {"yet_more"}});
  expect_refused(ErrorKind::corrupt, {"encoder.layer.1.output.dense.bias", "has no place"});
}

TEST_F(OnnxBertTest, WeightsThatAreUsedInAnotherWayAreRefused) {
  operators_.push_back({"Gemm", {"x", kQuery + ".bias"}, {"y"}});
  expect_not_plain({kQuery + ".bias", "goes into the operator 'Gemm'; Add is expected"});
  operators_.back() = {"Add", {"x", "embeddings.LayerNorm.weight"}, {"y"}};
  expect_not_plain({"embeddings.LayerNorm.weight", "operator 'Add'; Mul or LayerNormalization"});
  operators_.pop_back();
  user("embeddings.LayerNorm.weight").inputs.pop_back();
  expect_not_plain({"'embeddings.LayerNorm.weight' goes into no operator"});
}

TEST_F(OnnxBertTest, AMatrixFromTheLeftIsRefused) {
  std::vector<std::string>& inputs = user(kQuery + ".weight").inputs;
  std::swap(inputs[0], inputs[1]);
  expect_not_plain({tensor(kQuery + ".weight").name, "has no place"});
}

TEST_F(OnnxBertTest, NamesThatContradictEachOtherAreRefused) {
  operators_.push_back({"MatMul", {"x", tensor(kQuery + ".weight").name}, {"y"}});
  expect_not_plain({tensor(kQuery + ".weight").name, "multiplied by twice"});
  operators_.back() = {"Add", {kQuery + "_product", kInner + ".bias"}, {"y"}};
  expect_not_plain({"two biases", kQuery + "_product"});
  operators_.back() = {"Transpose", {kQuery + ".weight"}, {"y"}};
  tensors_.push_back({kQuery + ".weight", {1}, std::string(4, '\0')});
  expect_refused(ErrorKind::corrupt, {kQuery + ".weight' comes twice"});
}

TEST_F(OnnxBertTest, TensorsOfUnknownPurposeAreRefused) {
  tensors_.push_back({"scales", {2}, std::string(8, '\0')});
  expect_not_plain({"'scales' of shape [2]", "has no place"});
  tensors_.back() = {"encoder.rotary.table", {2}, std::string(8, '\0')};
  expect_refused(ErrorKind::corrupt, {"encoder.rotary.table", "has no place"});
}

TEST_F(OnnxBertTest, NumbersThatWeightsCannotHaveAreRefused) {
  const OnnxTensor whole = tensor(kInner + ".weight");
  OnnxTensor& changed = tensor(kInner + ".weight");
  const float bad = std::nanf("");
  std::memcpy(changed.data.data(), &bad, sizeof bad);
  expect_refused(ErrorKind::corrupt, {kInner + ".weight", "NaN or infinite"});
  changed = whole;
  changed.type = test::onnx_type::kInt8;
  expect_refused(ErrorKind::unsupported, {kInner + ".weight", "INT8"});
  changed = whole;
  changed.more = test::integer_field(14, 1);
  expect_refused(ErrorKind::unsupported, {whole.name, "another file"});
}

}  // namespace
}  // namespace memmatch
