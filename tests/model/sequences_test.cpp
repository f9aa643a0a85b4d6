#include "model/sequences.h"

#include <gtest/gtest.h>

#include "model/tiny_model.h"
#include "model/tokenizer_files.h"
#include "support.h"

namespace memmatch {
namespace {

using Ids = std::vector<std::int32_t>;

// Enough of a model to write sequences for: its vocabulary and lengths.
ModelData model_with(text::WordPiece tokenizer) {
  ModelData model{.weights = {},
                  .tokenizer = std::move(tokenizer),
                  .tokenizer_files = {},
                  .memory_vocabulary = {},
                  .seed = 0};
  model.weights.memory.emplace();
  return model;
}

Ids joined(std::initializer_list<Ids> parts) {
  Ids all;
  for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The reference's test vector T9.
TEST(Sequences, QueriesOfTheThreeLevelsAreTheReferences) {
  const auto vocab = test::shared_data() / "vocab" / "bert-base-cased-vocab.txt";
  MEMMATCH_REQUIRE(vocab);
  const ModelData model = model_with(load_vocab_txt(vocab));
  const SequenceWriter writer(model);
  const std::string claim = "Charles de Gaulle was a leader in the French Resistance.";
  const Ids pieces = {140,  20737, 1306, 131,  1889, 1260, 144,   18318, 1513,
                      1108, 170,   2301, 1107, 1103, 1497, 15598, 119};
  EXPECT_EQ(writer.query(1, claim).tokens, joined({{101}, pieces, {102}}));
  EXPECT_EQ(writer.query(2, claim).tokens, joined({{101, 25515, 131}, pieces, {102}}));
  EXPECT_EQ(writer.query(3, claim).tokens, joined({{101, 11689, 28113, 131}, pieces, {102}}));
}

// The reference's test vector T10: how many pieces are there, and how many are left.
TEST(Sequences, SupportsOfTheThreeLevelsAreTheReferences) {
  const auto vocab = test::shared_data() / "vocab" / "bert-base-cased-vocab.txt";
  MEMMATCH_REQUIRE(vocab);
  const ModelData model = model_with(load_vocab_txt(vocab));
  const SequenceWriter writer(model);
  const auto claim = writer.claim_part("Charles de Gaulle was a leader in the French Resistance.");
  const std::string title = "Charles de Gaulle";
  const std::vector<Ids> evidence{
      writer.evidence_part(
          title, 1,
          "He was the leader of Free France (1940 -- 44) and the head of the Provisional "
          "Government of the French Republic (1944 -- 46)."),
      writer.evidence_part(
          title, 12,
          "Despite frosty relations with Britain and especially the United States, he emerged as "
          "the undisputed leader of the French resistance."),
      writer.evidence_part(
          title, 0,
          "Charles André Joseph Marie de Gaulle ([ʃaʁl də ɡol]; 22 November 1890 -- 9 November "
          "1970) was a French general and statesman."),
      writer.evidence_part(
          "French Resistance", 0,
          "The French Resistance (La Résistance) was the collection of French resistance movements "
          "that fought against the Nazi German occupation of France and against the "
          "collaborationist Vichy régime during the Second World War."),
      writer.evidence_part("Resistance (EP)", 7,
                           "This EP or mini-album sold nearly all of its 200,000 copies.")};
  const auto length = [](const Sequence& sequence) { return sequence.tokens.size() - 2; };
  EXPECT_EQ(length(writer.level1_support(evidence[0])), 42u);
  EXPECT_EQ(length(writer.level1_support(evidence[3])), 50u);
  EXPECT_EQ(model.tokenizer.vocabulary().piece(evidence[3].back()), "War");
  EXPECT_EQ(length(writer.level2_support(claim, evidence[0])), 61u);
  EXPECT_EQ(length(writer.level2_support(claim, evidence[3])), 69u);
  const std::span<const Ids> three = std::span(evidence).first(3);
  EXPECT_EQ(length(writer.level3_support(Label::supports, claim, three)), 145u);
  EXPECT_EQ(length(writer.level3_support(Label::refutes, claim, three)), 146u);
  EXPECT_EQ(length(writer.level3_support(Label::unverifiable, claim, three)), 146u);
  EXPECT_EQ(length(writer.level3_support(Label::supports, claim, evidence)), 150u);
  using Counts = std::vector<std::int64_t>;
  EXPECT_EQ(writer.pieces_seen(Label::supports, claim, evidence), (Counts{42, 36, 47, 5, 0}));
  EXPECT_EQ(writer.pieces_seen(Label::refutes, claim, evidence), (Counts{42, 36, 47, 4, 0}));
}

TEST(Sequences, AreCutFromTheRightToTheLevelsLength) {
  const ModelData model = test::tiny_model();
  const SequenceWriter writer(model);
  const Sequence query = writer.query(1, "the dog sat the sun moon");  // 6 pieces are read
  EXPECT_TRUE(query.cut);
  EXPECT_EQ(query.tokens, (Ids{2, 5, 19, 29, 25, 26, 29, 3}));
  EXPECT_FALSE(writer.query(1, "the dog sat the").cut);
  EXPECT_EQ(writer.query(2, "the dog sat the sun moon").tokens.size(), 12u);
}

TEST(Sequences, WordsGoWithTokensAndAreZeroAtBothEnds) {
  const ModelData model = test::tiny_model();
  const Sequence sequence = SequenceWriter(model).support(1, "A cat moon");
  const auto word = [&](std::string_view piece) {
    const auto& entries = model.memory_vocabulary->entries;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].piece == piece) return static_cast<std::int32_t>(i) + 2;
    }
    return MemoryVocabulary::kUnknown;
  };
  EXPECT_NE(word("A"), MemoryVocabulary::kUnknown);
  EXPECT_EQ(sequence.words, (Ids{0, word("A"), word("cat"), MemoryVocabulary::kUnknown, 0}));
  EXPECT_EQ(sequence.words.size(), sequence.tokens.size());
}

TEST(Sequences, SupportsAreTakenAsTheyAre) {
  const ModelData model = test::tiny_model();
  const SequenceWriter writer(model);
  EXPECT_EQ(writer.support(1, "A cat").tokens, (Ids{2, 23, 24, 3}));
  EXPECT_EQ(writer.support(2, "A cat").tokens, (Ids{2, 7, 19, 23, 24, 3}));
  EXPECT_EQ(writer.support(3, "A cat").tokens, (Ids{2, 23, 24, 3}));
}

TEST(Sequences, ABareEncoderHasPlainSequencesOnly) {
  ModelData model = test::tiny_model();
  model.weights.memory.reset();
  model.memory_vocabulary.reset();
  const SequenceWriter writer(model);
  const Sequence sequence = writer.plain("A cat sat", writer.longest());
  EXPECT_EQ(sequence.tokens, (Ids{2, 23, 24, 26, 3}));
  EXPECT_TRUE(sequence.words.empty());
  EXPECT_EQ(writer.plain("", 10).tokens, (Ids{2, 3}));
  EXPECT_EQ(test::error_of([&] { writer.query(1, "A cat"); }).kind(), ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace memmatch
