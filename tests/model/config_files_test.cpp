#include "model/config_files.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support.h"

namespace memmatch {
namespace {

// What bert-base-cased's config.json says.
constexpr EncoderConfig kBertBaseCased = {.vocabulary = 28996,
                                          .hidden = 768,
                                          .layers = 12,
                                          .heads = 12,
                                          .intermediate = 3072,
                                          .positions = 512,
                                          .token_types = 2,
                                          .layer_norm_epsilon = 1e-12};

using Json = nlohmann::ordered_json;

Json valid() {
  ModelConfig config;
  config.encoder = kBertBaseCased;
  config.memory = MemoryConfig{.layers = {6, 6, 12}};
  config.seed = 1776;
  return Json::parse(model_config_text(config));
}

ModelConfig parse(std::string text) { return parse_model_config(text, "m/config.json"); }

Error refusal(const Json& config) {
  return test::error_of([&] { parse(config.dump()); });
}

// That the config with `field` set to `value` is refused, and the message names file and field.
void expect_refused(const std::string& field, const Json& value, ErrorKind kind) {
  Json config = valid();
  (config.contains(field) || !config["memmatch"].contains(field) ? config
                                                                 : config["memmatch"])[field] =
      value;
  const Error error = refusal(config);
  EXPECT_EQ(error.kind(), kind) << field << ": " << error.what();
  EXPECT_EQ(std::string(error.what()).find("m/config.json: "), 0u) << error.what();
  EXPECT_NE(std::string(error.what()).find(field), std::string::npos) << error.what();
}

TEST(ModelConfig, WhatIsWrittenIsReadBack) {
  const ModelConfig config = parse(valid().dump());
  EXPECT_EQ(config.encoder.vocabulary, 28996);
  EXPECT_EQ(config.encoder.hidden, 768);
  EXPECT_EQ(config.encoder.layers, 12);
  EXPECT_EQ(config.encoder.heads, 12);
  EXPECT_EQ(config.encoder.intermediate, 3072);
  EXPECT_EQ(config.encoder.positions, 512);
  EXPECT_EQ(config.encoder.token_types, 2);
  EXPECT_EQ(config.encoder.layer_norm_epsilon, 1e-12);
  EXPECT_EQ(config.memory->filters, 1000);
  EXPECT_EQ(config.memory->word_dimension, 300);
  EXPECT_EQ(config.memory->vocabulary, 7502);
  EXPECT_EQ(config.memory->lengths, (std::array<std::int64_t, 3>{50, 100, 150}));
  EXPECT_EQ(config.seed, 1776u);
}

TEST(ModelConfig, TheSearchIsThePapersUnlessTheFileSaysOtherwise) {
  EXPECT_FALSE(valid()["memmatch"].contains("search"));
  EXPECT_EQ(parse(valid().dump()).search, SearchConfig{});
  ModelConfig config = parse(valid().dump());
  config.search = {.word_credit = {0.5, 2}, .first_alone = true};
  EXPECT_EQ(parse(model_config_text(config)).search, config.search);
}

TEST(ModelConfig, ASearchOutOfAllProportionIsCorrupt) {
  const auto expect_named = [](const Json& search, const std::string& field) {
    Json config = valid();
    config["memmatch"]["search"] = search;
    const Error error = refusal(config);
    EXPECT_EQ(error.kind(), ErrorKind::corrupt) << search;
    EXPECT_NE(std::string(error.what()).find("'" + field + "'"), std::string::npos) << error.what();
  };
  expect_named(3, "search");
  for (const Json& credit : {Json({1}), Json({1, 2, 3}), Json({-1, 2}), Json({1, 1e9}),
                             Json({"a", 1}), Json(1), Json(nullptr)})
    expect_named({{"word_credit", credit}}, "word_credit");
  expect_named({{"word_credit", {0, 0}}, {"first_alone", "yes"}}, "first_alone");
}

TEST(ModelConfig, AbsentFieldsHaveHuggingFacesDefaults) {
  const ModelConfig config = parse(
      R"({"vocab_size": 30, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
          "intermediate_size": 16})");
  EXPECT_EQ(config.encoder.positions, 512);
  EXPECT_EQ(config.encoder.token_types, 2);
  EXPECT_EQ(config.encoder.layer_norm_epsilon, 1e-12);
  EXPECT_FALSE(config.memory);
}

TEST(ModelConfig, NetworksOtherThanOursAreUnsupported) {
  expect_refused("model_type", "roberta", ErrorKind::unsupported);
  expect_refused("hidden_act", "gelu_new", ErrorKind::unsupported);
  expect_refused("hidden_act", "relu", ErrorKind::unsupported);
  expect_refused("position_embedding_type", "relative_key", ErrorKind::unsupported);
  expect_refused("is_decoder", true, ErrorKind::unsupported);
  expect_refused("format_version", 2, ErrorKind::unsupported);
}

TEST(ModelConfig, SizesOutOfAllProportionAreCorrupt) {
  const std::vector<std::string> fields = {"vocab_size",        "hidden_size",
                                           "num_hidden_layers", "num_attention_heads",
                                           "intermediate_size", "max_position_embeddings",
                                           "type_vocab_size",   "filters",
                                           "word_dimension",    "memory_vocabulary_size"};
  for (const std::string& field : fields) {
    expect_refused(field, 0, ErrorKind::corrupt);
    expect_refused(field, -5, ErrorKind::corrupt);
    expect_refused(field, 9'223'372'036'854'775'807, ErrorKind::corrupt);
    expect_refused(field, 9'223'372'036'854'775'808u, ErrorKind::corrupt);
    expect_refused(field, 1e300, ErrorKind::corrupt);
    expect_refused(field, "8", ErrorKind::corrupt);
  }
}

TEST(ModelConfig, SizesMustFitTogether) {
  expect_refused("num_attention_heads", 7, ErrorKind::corrupt);
  expect_refused("max_position_embeddings", 2, ErrorKind::corrupt);
  expect_refused("level_lengths", {50, 100, 511}, ErrorKind::corrupt);
  expect_refused("level_lengths", {50, 100}, ErrorKind::corrupt);
  expect_refused("level_layers", {1, 1, 99}, ErrorKind::corrupt);
  expect_refused("level_layers", {1, -1, 1}, ErrorKind::corrupt);
  expect_refused("level_layers", {1, 1}, ErrorKind::corrupt);
  expect_refused("memory_vocabulary_size", 1, ErrorKind::corrupt);
  expect_refused("layer_norm_eps", 0.0, ErrorKind::corrupt);
  expect_refused("layer_norm_eps", -1e-12, ErrorKind::corrupt);
  expect_refused("seed", -1, ErrorKind::corrupt);
}

TEST(ModelConfig, MissingFieldsAreNamed) {
  for (const std::string field : {"vocab_size", "hidden_size", "num_hidden_layers",
                                  "num_attention_heads", "intermediate_size"}) {
    Json config = valid();
    config.erase(field);
    const Error error = refusal(config);
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_NE(std::string(error.what()).find("'" + field + "' is missing"), std::string::npos);
  }
}

TEST(ModelConfig, WhatIsNoObjectIsCorrupt) {
  for (const char* text : {"", "[]", "{", "null", "{\"memmatch\": 3}", "\xFF\xFE{}"}) {
    EXPECT_EQ(test::error_of([&] { parse(text); }).kind(), ErrorKind::corrupt) << text;
  }
}

TEST(ModelConfig, ParametersOfThePapersModelAreCountedRight) {
  const std::uint64_t encoder = encoder_parameters(kBertBaseCased);
  const std::uint64_t level = memory_level_parameters(MemoryConfig{}, kBertBaseCased);
  EXPECT_EQ(encoder + pooler_parameters(kBertBaseCased), 108'310'272u);
  EXPECT_EQ(level, 3'319'600u);
  EXPECT_EQ(encoder + pooler_parameters(kBertBaseCased) + 3 * level, 118'269'072u);
}

}  // namespace
}  // namespace memmatch
