#include "train/step_batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/search_world.h"

namespace memmatch::train {
namespace {

using Ids = std::vector<SentenceId>;

// Sentences 1 to 9 and claims about them, without a store.
class StepBatchTest : public testing::Test {
 protected:
  StepBatchTest() : model_(load_model(test::small_model(folder_))), writer_(model_) {
    for (int i = 1; i < 10; ++i) {
      set_.evidence[i] =
          writer_.evidence_part("Moon", 0, test::world_words()[static_cast<std::size_t>(i)]);
    }
  }

  static TrainingClaim claim(const std::string& text, Label label, Ids chosen, Ids gold = {}) {
    TrainingClaim claim;
    claim.text = text;
    claim.label = label;
    claim.gold = gold.empty() ? chosen : std::move(gold);
    claim.chosen = std::move(chosen);
    return claim;
  }

  StepBatch batch_of(const std::vector<TrainingClaim>& claims, const Beam& beam,
                     const PairsRecipe& recipe = {}, bool head = false) const {
    const StepBatchWriter writer(writer_, set_);
    StepBatch batch;
    for (const TrainingClaim& one : claims)
      writer.add_claim(batch, one, make_pairs(one, beam, recipe, {}), head);
    return batch;
  }

  static std::int64_t matches_of(const LevelBatch& level) {
    return std::count_if(level.pairs.begin(), level.pairs.end(),
                         [](const Pair& pair) { return pair.match; });
  }

  // The sentence whose level-1 support is this row; 0 for none.
  SentenceId sentence_of(const LevelBatch& level1, std::int64_t row) const {
    for (const auto& [id, pieces] : set_.evidence) {
      if (writer_.level1_support(pieces).tokens ==
          level1.sequences.sequences()[static_cast<std::size_t>(row)].tokens)
        return id;
    }
    return 0;
  }

  test::TemporaryFolder folder_;
  ModelData model_;
  SequenceWriter writer_;
  TrainingSet set_;
};

TEST_F(StepBatchTest, AVerifiableClaimHasPairsOfAllLevels) {
  const TrainingClaim one = claim("The moon is cold.", Label::refutes, {2});
  const StepBatch batch = batch_of({one}, {{3, 2, 4}, {4, 2, 3}});
  const auto& [level1, level2, level3] = batch.levels;
  EXPECT_EQ(level1.sequences.sequences().at(0).tokens, writer_.query(1, one.text).tokens);
  EXPECT_EQ(level1.pairs, (std::vector<Pair>{{0, 1, true}, {0, 2, false}}));
  EXPECT_EQ(sentence_of(level1, 1), 2);
  EXPECT_EQ(sentence_of(level1, 2), 3);
  const SequenceWriter::Pieces pieces = writer_.claim_part(one.text);
  EXPECT_EQ(level2.pairs, (std::vector<Pair>{{0, 1, true}, {0, 2, false}}));
  EXPECT_EQ(level2.sequences.sequences().at(0).tokens, writer_.query(2, one.text).tokens);
  EXPECT_EQ(level2.sequences.sequences().at(1).tokens,
            writer_.level2_support(pieces, set_.evidence[2]).tokens);
  EXPECT_EQ(level2.sequences.sequences().at(2).tokens,
            writer_.level2_support(pieces, set_.evidence[4]).tokens);
  // Three labels with the reference query, three with that of prediction.
  ASSERT_EQ(level3.pairs.size(), 6u);
  EXPECT_EQ(matches_of(level3), 2);
  const auto& sequences = level3.sequences.sequences();
  const std::vector<SequenceWriter::Pieces> chosen = set_.evidence_of(Ids{2});
  const std::vector<SequenceWriter::Pieces> found = set_.evidence_of(Ids{4, 2, 3});
  for (const Pair& pair : level3.pairs) {
    const auto& query = sequences.at(static_cast<std::size_t>(pair.query)).tokens;
    const auto& support = sequences.at(static_cast<std::size_t>(pair.support)).tokens;
    const bool reference = query == writer_.reference_query(one.text).tokens;
    EXPECT_TRUE(reference || query == writer_.query(3, one.text).tokens);
    const Sequence right =
        writer_.level3_support(Label::refutes, pieces, reference ? chosen : found);
    EXPECT_EQ(pair.match, support == right.tokens);
  }
}

TEST_F(StepBatchTest, AnUnverifiableClaimHasPairsOfLevel3Alone) {
  const StepBatch batch =
      batch_of({claim("The moon is cold.", Label::unverifiable, {})}, {{3, 2}, {2, 3}});
  EXPECT_TRUE(batch.levels[0].pairs.empty());
  EXPECT_TRUE(batch.levels[1].pairs.empty());
  EXPECT_EQ(batch.levels[2].pairs.size(), 3u);
  EXPECT_EQ(matches_of(batch.levels[2]), 1);
  EXPECT_TRUE(batch.head.rows.empty());
}

TEST_F(StepBatchTest, APairThatBringsItsEvidenceHasPairsOfLevel3Alone) {
  const PairExample pair{
      "The moon is cold.", {writer_.evidence_part("The moon is warm.")}, Label::refutes};
  StepBatch batch;
  StepBatchWriter(writer_, set_).add_level3(batch, pair);
  EXPECT_TRUE(batch.levels[0].pairs.empty() && batch.levels[1].pairs.empty());
  EXPECT_TRUE(batch.head.rows.empty());
  const LevelBatch& level3 = batch.levels[2];
  EXPECT_EQ(level3.pairs, (std::vector<Pair>{{0, 1, false}, {0, 2, true}, {0, 3, false}}));
  const auto& sequences = level3.sequences.sequences();
  EXPECT_EQ(sequences.at(0).tokens, writer_.query(3, pair.claim).tokens);
  EXPECT_EQ(
      sequences.at(2).tokens,
      writer_.level3_support(Label::refutes, writer_.claim_part(pair.claim), pair.evidence).tokens);
}

TEST_F(StepBatchTest, ASequenceOfSeveralPairsIsThereOnce) {
  const TrainingClaim one = claim("The moon is cold.", Label::supports, {1, 2});
  const TrainingClaim other = claim("The sun is old.", Label::supports, {3});
  const StepBatch batch = batch_of({one, other}, {{3, 4, 1}, {3, 4, 1}}, {.level1_negatives = 2});
  // 1, 2 with negatives 3, 4; then 3 with negatives 4, 1: two queries and four supports.
  EXPECT_EQ(batch.levels[0].pairs.size(), 7u);
  EXPECT_EQ(batch.levels[0].sequences.sequences().size(), 6u);
  std::set<std::vector<std::int32_t>> distinct;
  for (const LevelBatch& level : batch.levels) {
    distinct.clear();
    for (const Sequence& sequence : level.sequences.sequences()) distinct.insert(sequence.tokens);
    EXPECT_EQ(distinct.size(), level.sequences.sequences().size());
  }
}

// The reference's test vector T14: with batches of three claims that have 2, 3, 0, 2, 2, 3 and 1
// pairs, the batches have pairs [0, 5), [5, 12) and [12, 13); none is left out.
TEST_F(StepBatchTest, AllClaimsOfABatchTrain) {
  const std::vector<std::size_t> negatives = {1, 2, 0, 1, 1, 2, 0};
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin < negatives.size(); begin += 3) {
    const StepBatchWriter writer(writer_, set_);
    StepBatch batch;
    for (std::size_t i = begin; i < std::min(begin + 3, negatives.size()); ++i) {
      const bool none = i == 2;
      const TrainingClaim one =
          claim("The " + test::world_words()[i + 1] + " falls.",
                none ? Label::unverifiable : Label::supports, none ? Ids{} : Ids{9});
      const PairsRecipe recipe{.level1_negatives = static_cast<std::int64_t>(negatives[i])};
      writer.add_claim(batch, one, make_pairs(one, {{1, 2, 3}, {1, 2, 3}}, recipe, {}), false);
    }
    sizes.push_back(batch.levels[0].pairs.size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{5, 7, 1}));
}

TEST_F(StepBatchTest, InBatchNegativesAreTheEvidenceOfOtherClaims) {
  const std::vector<TrainingClaim> claims = {
      claim("The moon is cold.", Label::supports, {1}, {1, 2}),
      claim("The sun is old.", Label::supports, {2}),
      claim("The bird sings.", Label::unverifiable, {}),
      claim("The king was born.", Label::refutes, {3})};
  std::vector<const TrainingClaim*> pointers;
  for (const TrainingClaim& one : claims) pointers.push_back(&one);
  for (const std::int64_t count : {0, 1, 5}) {
    StepBatch batch = batch_of(claims, {}, {});
    const LevelBatch before = batch.levels[0];
    StepBatchWriter(writer_, set_).add_in_batch_negatives(batch, pointers, count);
    const LevelBatch& level = batch.levels[0];
    EXPECT_EQ(level.sequences.sequences().size(), before.sequences.sequences().size());
    std::map<std::vector<std::int32_t>, Ids> negatives;  // by the query's tokens
    for (const Pair& pair : level.pairs) {
      if (pair.match) continue;
      negatives[level.sequences.sequences()[static_cast<std::size_t>(pair.query)].tokens].push_back(
          sentence_of(level, pair.support));
    }
    const auto of = [&](std::size_t i) {
      return negatives[writer_.query(1, claims[i].text).tokens];
    };
    EXPECT_EQ(of(0), count == 0 ? Ids{} : Ids{3}) << "2 is gold for it";
    EXPECT_EQ(of(1), count == 0 ? Ids{} : count == 1 ? Ids{3} : (Ids{3, 1}));
    EXPECT_EQ(of(2), Ids{});
    EXPECT_EQ(of(3), count == 0 ? Ids{} : count == 1 ? Ids{1} : (Ids{1, 2}));
  }
}

TEST_F(StepBatchTest, TheHeadReadsPredictedAndAnnotatedEvidence) {
  const std::vector<TrainingClaim> claims = {claim("The moon is cold.", Label::refutes, {2}),
                                             claim("The sun is old.", Label::unverifiable, {})};
  const StepBatch batch = batch_of(claims, {{3, 2}, {3, 2}}, {}, true);
  const auto label = [](Label one) { return static_cast<std::int64_t>(one); };
  EXPECT_EQ(batch.head.labels,
            (std::vector<std::int64_t>{label(Label::refutes), label(Label::refutes),
                                       label(Label::unverifiable)}));
  EXPECT_EQ(batch.head.rows, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(batch.head.sequences.sequences().at(0).tokens,
            writer_.unlabelled_support(writer_.claim_part(claims[0].text), set_.evidence_of(Ids{2}))
                .tokens);
}

}  // namespace
}  // namespace memmatch::train
