#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/memory_vocabulary.h"
#include "process.h"

namespace memmatch {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;

class ModelVerbsTest : public testing::Test {
 protected:
  std::string path(std::string_view name) const { return (folder_ / name).string(); }

  // `model init` on the golden model's encoder, with small memory layers.
  Outcome init(const std::vector<std::string>& more = {}, const std::string& lengths = "6,12,18") {
    std::vector<std::string> arguments = {
        "model", "init",   "--encoder", golden_, "--out", path("m"), "--word-dimension",
        "3",     "--json", "--lengths", lengths};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  static json info(const std::string& model) {
    return json::parse(run_program({"model", "info", model, "--json"}).out);
  }

  test::TemporaryFolder folder_;
  std::string golden_ = test::fixture("golden_model_v1").string();
};

TEST_F(ModelVerbsTest, EachHasHelpThatOpensWithAnExample) {
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"model"},
                                             {"model", "init"},
                                             {"model", "info"},
                                             {"model", "copy"},
                                             {"model", "mean"},
                                             {"model", "export"},
                                             {"embed"}}) {
    std::vector<std::string> arguments = verb;
    arguments.push_back("--help");
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(outcome.out.starts_with("Examples:\n")) << outcome.out;
  }
}

TEST_F(ModelVerbsTest, InfoPrintsWhatAModelIs) {
  const Outcome outcome = run_program({"model", "info", golden_, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json info = json::parse(outcome.out);
  EXPECT_EQ(info["fingerprint"], "6f7cd96dff12498c017a3b56ca649e74");
  EXPECT_EQ(info["encoder"]["parameters"], 1012);
  EXPECT_EQ(info["memory"]["parameters_of_one_level"], 153);
  EXPECT_EQ(info["parameters"], 1471);
  const Outcome readable = run_program({"model", "info", golden_});
  EXPECT_NE(readable.out.find("1,471"), std::string::npos) << readable.out;
  EXPECT_NE(readable.out.find("6f7cd96dff12498c017a3b56ca649e74"), std::string::npos);
}

TEST_F(ModelVerbsTest, InitMakesTheSameModelFromTheSameSeed) {
  const Outcome first = init({"--filters", "6"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("no texts given"), std::string::npos);
  EXPECT_EQ(json::parse(first.out)["memory"]["filters"], 6);
  EXPECT_EQ(init({"--filters", "6"}).code, 1);  // it is there already
  const Outcome again = init({"--filters", "6", "--force"});
  EXPECT_EQ(again.out, first.out);
  const Outcome other = init({"--filters", "6", "--force", "--seed", "5"});
  EXPECT_NE(json::parse(other.out)["fingerprint"], json::parse(first.out)["fingerprint"]);
}

TEST_F(ModelVerbsTest, InitCountsTheMemoryVocabularyOverClaimsAndTheirEvidence) {
  const auto corpus =
      folder_.write("c.jsonl", R"({"title": "cat", "sentences": ["the moon moon moon."]})"
                               "\n");
  ASSERT_EQ(run_program({"import", "jsonl", corpus, "--store", path("s.db")}).code, 0);
  const auto claims = folder_.write(
      "claims.jsonl",
      R"({"id": 1, "label": "SUPPORTS", "claim": "A cat sat.", "evidence": [[[1, 1, "cat", 0]]]})"
      "\n");
  ASSERT_EQ(init({"--claims", claims, "--store", path("s.db")}).code, 0);
  const MemoryVocabulary vocabulary = read_memory_vocabulary(folder_ / "m/memory_vocabulary.txt");
  const auto count = [&](std::string_view piece) {
    for (const auto& entry : vocabulary.entries) {
      if (entry.piece == piece) return entry.count;
    }
    return std::int64_t{0};
  };
  EXPECT_EQ(count("moon"), 3);
  EXPECT_EQ(count("cat"), 3);  // query, support, title
  EXPECT_EQ(count("Support"), 3);
  EXPECT_EQ(count("sun"), 0);
}

TEST_F(ModelVerbsTest, InitCountsPlainTexts) {
  const auto texts = folder_.write("t.jsonl", R"({"text": "sun sun"})"
                                              "\n");
  const Outcome outcome = init({"--texts", texts, "--input", "jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const MemoryVocabulary vocabulary = read_memory_vocabulary(folder_ / "m/memory_vocabulary.txt");
  EXPECT_EQ(vocabulary.entries.back(), (MemoryVocabulary::Entry{"Evidence", 1}));
}

TEST_F(ModelVerbsTest, WrongSettingsAreWrongUsage) {
  const Outcome outcome = init({}, "6,12,23");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("level_lengths"), std::string::npos) << outcome.err;
  EXPECT_EQ(init({"--filters", "0"}).code, 2);
  EXPECT_EQ(init({}, "6,12").code, 2);
  EXPECT_EQ(init({"--memory-vocabulary", "-1"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m"));
}

TEST_F(ModelVerbsTest, ExportWritesAnEncoderThatOpens) {
  ASSERT_EQ(run_program({"model", "export", golden_, "--out", path("e"), "--storage", "fp16"}).code,
            0);
  const json info = json::parse(run_program({"model", "info", path("e"), "--json"}).out);
  EXPECT_FALSE(info.contains("memory"));
  EXPECT_EQ(info["parameters"], 1012);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "e/memory.safetensors"));
}

TEST_F(ModelVerbsTest, CopyWritesTheSameModelOrARoundedOne) {
  ASSERT_EQ(run_program({"model", "copy", golden_, "--out", path("same")}).code, 0);
  ASSERT_EQ(
      run_program({"model", "copy", golden_, "--out", path("half"), "--storage", "fp16"}).code, 0);
  EXPECT_EQ(info(path("same"))["fingerprint"], info(golden_)["fingerprint"]);
  EXPECT_EQ(info(path("half"))["memory"], info(golden_)["memory"]);
  EXPECT_LT(std::filesystem::file_size(folder_ / "half/model.safetensors"),
            std::filesystem::file_size(folder_ / "same/model.safetensors"));
  EXPECT_EQ(run_program({"model", "copy", golden_, "--out", path("same")}).code, 1)
      << "a model that is there already is not replaced";
}

TEST_F(ModelVerbsTest, CopyChangesHowAModelIsSearchedWith) {
  const auto copy = [&](const std::string& from, const std::string& out,
                        std::vector<std::string> more) {
    more.insert(more.begin(), {"model", "copy", from, "--out", path(out)});
    return run_program(more);
  };
  ASSERT_EQ(copy(golden_, "w", {"--word-credit", "0.5,2", "--first-alone", "true"}).code, 0);
  EXPECT_EQ(info(path("w"))["memory"]["word_credit"], json({0.5, 2.0}));
  EXPECT_EQ(info(path("w"))["memory"]["first_alone"], true);
  EXPECT_NE(info(path("w"))["fingerprint"], info(golden_)["fingerprint"]);
  EXPECT_NE(run_program({"model", "info", path("w")}).out.find("0.5 at level 1, 2 at level 2"),
            std::string::npos);
  ASSERT_EQ(copy(path("w"), "again", {}).code, 0);
  EXPECT_EQ(info(path("again")).at("fingerprint"), info(path("w")).at("fingerprint"));
  ASSERT_EQ(copy(path("w"), "b", {"--word-credit", "0,0", "--first-alone", "false"}).code, 0);
  EXPECT_EQ(info(path("b"))["fingerprint"], info(golden_)["fingerprint"]);
  for (const char* wrong : {"1", "1,2,3", "-1,0", "a,b", "2000,0"})
    EXPECT_EQ(copy(golden_, "x", {"--word-credit", wrong}).code, 2) << wrong;
  EXPECT_EQ(copy(golden_, "x", {"--first-alone", "perhaps"}).code, 2);
}

TEST_F(ModelVerbsTest, TheMeanOfAModelAndItselfIsTheModel) {
  const auto mean = [&](const std::string& second, const std::string& out) {
    return run_program({"model", "mean", golden_, second, "--out", path(out)});
  };
  ASSERT_EQ(mean(golden_, "same").code, 0);
  EXPECT_EQ(info(path("same"))["fingerprint"], info(golden_)["fingerprint"]);
  ASSERT_EQ(init({"--filters", "6"}).code, 0);
  const Outcome unlike = mean(path("m"), "unlike");
  EXPECT_EQ(unlike.code, 2);
  EXPECT_NE(unlike.err.find("same architecture"), std::string::npos) << unlike.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "unlike"));
}

TEST_F(ModelVerbsTest, AMissingModelFailsWithItsName) {
  const Outcome outcome = run_program({"model", "info", path("none")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find(path("none")), std::string::npos);
  EXPECT_EQ(outcome.out, "");
}

}  // namespace
}  // namespace memmatch
