#include "audit/alignment.h"

#include <gtest/gtest.h>

#include "search/distance.h"
#include "search/search_world.h"

namespace memmatch::audit {
namespace {

// Reference T19. Places there count four cells of padding in front; the last filter's support is on
// padding.
const std::vector<float> kQuery = {2, 1.5F, .8F, -.2F, 3};
const std::vector<float> kSupport = {1.9F, .5F, .8F, -.1F, 0};
const std::vector<std::int32_t> kQueryPlaces = {1, 1, 2, 2, 3};
const std::vector<std::int32_t> kSupportPlaces = {5, 5, 5, 8, -2};

void expect_link(const Links& links, std::pair<std::size_t, std::size_t> places, double squares,
                 double query, double support) {
  ASSERT_TRUE(links.contains(places));
  EXPECT_NEAR(links.at(places).squares, squares, 1e-6);
  EXPECT_NEAR(links.at(places).query, query, 1e-6);
  EXPECT_NEAR(links.at(places).support, support, 1e-6);
}

TEST(AlignmentTest, FiltersLinkPlacesAsInTheResearchCode) {
  const Links links =
      link_filters(kQuery, kSupport, kQueryPlaces, kSupportPlaces, Scaling::squared_difference);
  EXPECT_EQ(links.size(), 3u);
  expect_link(links, {1, 5}, 1.01, 2.531919, 2.065034);
  expect_link(links, {2, 5}, 0, .8, .8);
  expect_link(links, {2, 8}, .01, -.198010, -.099005);
}

TEST(AlignmentTest, FiltersAreScaledByTheirDifferenceAsInThePaper) {
  const Links links = link_filters(kQuery, kSupport, kQueryPlaces, kSupportPlaces);
  EXPECT_EQ(links.size(), 3u);
  expect_link(links, {1, 5}, 1.01, 2.361494, 1.9 * std::exp(-.1) + .5 * std::exp(-1));
  expect_link(links, {2, 8}, .01, -.2 * std::exp(-.1), -.1 * std::exp(-.1));
}

TEST(AlignmentTest, BestLinksGoBothWays) {
  Alignment alignment;
  alignment.query.words.resize(3);
  alignment.support.words.resize(2);
  alignment.links = {{{0, 0}, {0, 3, 1}}, {{0, 1}, {0, 2, 5}}, {{1, 1}, {0, -1, 4}}};
  EXPECT_EQ(alignment.best_supports(), (std::vector<std::int64_t>{0, -1, -1}));
  EXPECT_EQ(alignment.best_queries(), (std::vector<std::int64_t>{0, 0}));
}

TEST(AlignmentTest, NeighboursWithTheSameTargetAreOneGroup) {
  Alignment alignment;
  alignment.query.words.resize(5);
  alignment.query.words[0].fixed = true;
  alignment.support.words.resize(2);
  alignment.links = {{{0, 1}, {0, 9, 0}},
                     {{1, 1}, {0, 3, 0}},
                     {{2, 1}, {0, 2, 0}},
                     {{3, 0}, {0, 1, 0}},
                     {{4, 1}, {0, 1, 0}}};
  const auto groups = alignment.groups();
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].first, 1u);
  EXPECT_EQ(groups[0].last, 3u);
  EXPECT_EQ(groups[0].support, 1u);
  EXPECT_EQ(groups[0].strength, 5);
  EXPECT_EQ(groups[1].support, 0u);
  EXPECT_EQ(groups[2].first, 4u);
}

TEST(AlignmentTest, PiecesBecomeTheWordsOfTheUsersOwnText) {
  const text::WordPiece tokenizer(
      text::Vocabulary({"[UNK]", "claim", ":", "un", "##verifiab", "##ly", "cafe", "."}),
      {.lowercase = true, .strip_accents = true});
  SequenceText text{.text = "Claim: Unverifiably café.", .pieces = {}, .fixed = {{0, 6}}};
  text.pieces = tokenizer.tokenize(text.text);
  const AlignedText aligned = words_of(text, tokenizer);
  std::vector<std::string> words;
  for (const Word& word : aligned.words)
    words.push_back(aligned.text.substr(word.begin, word.end - word.begin));
  EXPECT_EQ(words, (std::vector<std::string>{"Claim", ":", "Unverifiably", "café", "."}));
  EXPECT_EQ(aligned.word_of_piece, (std::vector<std::size_t>{0, 1, 2, 2, 2, 3, 4}));
  EXPECT_TRUE(aligned.words[1].fixed);
  EXPECT_FALSE(aligned.words[2].fixed);
  const Links merged = merge_to_words(
      {{{2, 5}, {1, 2, 3}}, {{4, 5}, {1, 1, 1}}, {{5, 0}, {1, 1, 1}}}, aligned, aligned);
  EXPECT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged.at({2, 3}).query, 3);
  EXPECT_EQ(merged.at({3, 0}).query, 1);
}

class AlignedModelTest : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  search::Network network_{load_model(test::small_model(folder_)), engine::Precision::fp32, 1};
  std::vector<EvidenceText> evidence_ = {{"Moon", 0, "The old moon is cold and the sun is not."},
                                         {"The red tower", 3, "It was made in the city of stone."}};
};

// Also where sequences are cut: the model's levels take 14, 26 and 40 pieces.
TEST_F(AlignedModelTest, DistancesAreThoseOfTheSearch) {
  for (const std::string& claim :
       {std::string("The moon is old."), "The Moon unverifiable" + std::string(200, '!'),
        std::string("é [SEP] \xff moon")}) {
    for (int level = 1; level <= 3; ++level) {
      AlignmentRequest request{level, claim, evidence_, Label::refutes};
      if (level < 3) request.evidence.resize(1);
      const Alignment alignment = align(network_, request);
      const SequenceWriter& writer = network_.writer();
      std::vector<SequenceWriter::Pieces> parts;
      for (const EvidenceText& e : evidence_)
        parts.push_back(writer.evidence_part(e.title, e.number, e.text));
      const auto claim_part = writer.claim_part(claim);
      search::Batch batch;
      batch.add(writer.query(level, claim));
      batch.add(level == 1   ? writer.level1_support(parts[0])
                : level == 2 ? writer.level2_support(claim_part, parts[0])
                             : writer.level3_support(Label::refutes, claim_part, parts));
      const search::Vectors vectors = network_.encode(batch, level);
      EXPECT_EQ(alignment.distance, search::distance(vectors[0], vectors[1]));
      EXPECT_GT(alignment.linked_filters, 0u);
      EXPECT_LE(alignment.linked_filters, alignment.filters);
      EXPECT_NE(alignment.query.text.find(claim), std::string::npos);
      EXPECT_NE(alignment.support.text.find(evidence_[0].text), std::string::npos);
    }
  }
}

TEST_F(AlignedModelTest, WhatHasNoEvidenceIsRefused) {
  EXPECT_EQ(test::error_of([&] {
              align(network_, {1, "The moon", {}, {}});
            }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(test::error_of([&] {
              align(network_, {2, "The moon", evidence_, {}});
            }).kind(),
            ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace memmatch::audit
