#include "train/pair_sources.h"

#include <gtest/gtest.h>

#include <map>

#include "search/search_world.h"

namespace memmatch::train {
namespace {

using test::TemporaryFolder;

class PairSourcesTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& lines) {
    return folder_.write(name, lines).string();
  }

  static std::string line(const std::string& claim, const std::string& evidence,
                          const std::string& more = "") {
    return R"({"claim": ")" + claim + R"(", "evidence": ")" + evidence +
           R"(", "label": "SUPPORTS")" + more + "}\n";
  }

  std::vector<PairExample> draw(const std::vector<PairSource>& sources, double title_noise,
                                std::size_t count, std::uint64_t seed = 1) {
    return draw_examples(sources, writer_, title_noise, seed, count);
  }

  TemporaryFolder folder_;
  ModelData model_ = load_model(test::small_model(folder_, 1));
  SequenceWriter writer_{model_};
};

TEST_F(PairSourcesTest, SourcesAreDrawnFromByTheirWeights) {
  const auto sources = read_pair_sources(
      {{write("a.jsonl", line("the moon", "the moon is cold.")), 3},
       {write("b.jsonl", line("the king", "the king is old.") + line("a king", "the king sings.")),
        1}},
      writer_);
  std::map<std::string, int> times;
  for (const PairExample& example : draw(sources, 0, 4000)) ++times[example.claim];
  EXPECT_NEAR(times["the moon"], 3000, 150);
  EXPECT_NEAR(times["the king"], 500, 100);
  EXPECT_NEAR(times["a king"], 500, 100);
}

TEST_F(PairSourcesTest, WhatIsDrawnFollowsFromTheSeed) {
  const auto sources = read_pair_sources({{write("a.jsonl", line("the moon", "the moon is cold.") +
                                                                line("a king", "the king is old.")),
                                           1}},
                                         writer_);
  const auto claims = [&](std::uint64_t seed) {
    std::string all;
    for (const PairExample& example : draw(sources, 0.5, 40, seed)) all += example.claim + ";";
    return all;
  };
  EXPECT_EQ(claims(5), claims(5));
  EXPECT_NE(claims(5), claims(6));
}

TEST_F(PairSourcesTest, EvidenceHasItsTitleUnlessNoiseTakesIt) {
  const std::string text = "the moon is cold.";
  const auto sources = read_pair_sources(
      {{write("a.jsonl", line("the moon", text, R"(, "title": "Moon")")), 1}}, writer_);
  const SequenceWriter::Pieces bare = writer_.evidence_part(text);
  int without = 0;
  for (const PairExample& example : draw(sources, 0, 200)) {
    ASSERT_EQ(example.evidence.size(), 1u);
    EXPECT_NE(example.evidence[0], bare);
  }
  for (const PairExample& example : draw(sources, 0.6, 2000))
    without += example.evidence[0] == bare;
  EXPECT_NEAR(without, 600, 100) << "the other half of the noise takes another's title";
}

TEST_F(PairSourcesTest, NoiseGivesTitlesToEvidenceThatHasNone) {
  const auto sources = read_pair_sources(
      {{write("a.jsonl", line("the moon", "the moon is cold.", R"(, "title": "Moon")")), 1},
       {write("b.jsonl", line("a king", "the king is old.")), 1}},
      writer_);
  int titled = 0;
  for (const PairExample& example : draw(sources, 0.8, 2000))
    titled += example.claim == "a king" &&
              example.evidence[0] != writer_.evidence_part("the king is old.");
  EXPECT_NEAR(titled, 1000 * 0.4 * 0.5, 60);
}

TEST_F(PairSourcesTest, LongEvidenceIsReadSentenceBySentence) {
  std::string longer;
  for (int i = 0; i < 30; ++i) longer += "The moon is cold. ";
  const auto sources =
      read_pair_sources({{write("a.jsonl", line("the moon", longer)), 1}}, writer_);
  EXPECT_EQ(sources[0].pairs[0].sentences.size(), 30u);
  EXPECT_EQ(draw(sources, 0, 1)[0].evidence.size(), 30u);
}

TEST_F(PairSourcesTest, WhatCannotBeUsedIsNamed) {
  const auto complaint = [&](const std::string& file) {
    return std::string(test::error_of([&] { read_pair_sources({{file, 1}}, writer_); }).what());
  };
  EXPECT_NE(complaint(write("empty.jsonl", "\n")).find("empty.jsonl: there are no pairs"),
            std::string::npos);
  const std::string label = write(
      "label.jsonl", line("a", "b") + R"({"claim": "a", "evidence": "b", "label": "PERHAPS"})");
  EXPECT_NE(complaint(label).find("label.jsonl:2"), std::string::npos) << complaint(label);
  EXPECT_NE(complaint("missing.jsonl").find("missing.jsonl"), std::string::npos);
}

}  // namespace
}  // namespace memmatch::train
