#include "eval/overlap_baseline.h"

#include <gtest/gtest.h>

#include "data/claims.h"
#include "eval_support.h"

namespace memmatch::eval {
namespace {

using test::TemporaryFolder;

std::vector<std::string> ranked_texts(Datastore& store, const std::string& claim) {
  OverlapBaseline baseline;
  baseline.note_words(claim);
  baseline.count(store);
  std::vector<std::string> texts;
  for (const RankedSentence& entry : baseline.rank(store, claim, store.cover(claim)))
    texts.push_back(store.sentence(entry.id)->text);
  return texts;
}

TEST(OverlapBaseline, RareWordsCountMore) {
  const TemporaryFolder folder;
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
  // "the" is in all sentences but one, "comet" and "tail" in one each.
  test::import_all(store, {test::document("Halley", {"The the of the sky.", "A comet!", "",
                                                     "The dust", "The tail of the comet"}),
                           test::document("Sky", {"The stars are on the sky."})});
  EXPECT_EQ(ranked_texts(store, "The comet Halley has a tail."),
            (std::vector<std::string>{"The tail of the comet", "A comet!", "The the of the sky.",
                                      "The dust"}));
}

TEST(OverlapBaseline, WordsOfTheTitleCount) {
  const TemporaryFolder folder;
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
  test::import_all(store, {test::document("The", {"It is icy.", "The article."}),
                           test::document("Comet", {"It is icy!"})});
  EXPECT_EQ(ranked_texts(store, "The comet is icy.").front(), "It is icy!");
  EXPECT_EQ(ranked_texts(store, "Luna").size(), 0u);
}

TEST(OverlapBaseline, TiesGoToTheSmallerId) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  EXPECT_EQ(ranked_texts(store, "Moon shine"),
            (std::vector<std::string>{"The Moon orbits the Earth.", "It is round."}));
}

// The figures of the reduced corpus in docs/evaluation.md.
TEST(OverlapBaseline, OnTheReducedCorpus) {
  const auto folder = test::shared_data() / "fever-reduced";
  MEMMATCH_REQUIRE(folder);
  const TemporaryFolder temporary;
  Datastore store = Datastore::open(temporary / "s.db", Datastore::Access::create);
  test::import_reduced_fever(store);
  OverlapBaseline baseline;
  data::Claim claim;
  for (data::ClaimReader claims(folder / "dev.jsonl"); claims.next(claim);)
    baseline.note_words(claim.text);
  baseline.count(store);
  Retrieval figures;
  for (data::ClaimReader claims(folder / "dev.jsonl"); claims.next(claim);) {
    if (!claim.verifiable()) continue;
    const Cover cover = store.cover(claim.text);
    count_retrieval(find_gold_evidence(store, claim, cover),
                    baseline.rank(store, claim.text, cover), figures);
  }
  EXPECT_EQ(figures.claims, 3269u);
  EXPECT_NEAR(static_cast<double>(figures.strict) / 3269, 0.677, 0.001);
  EXPECT_NEAR(static_cast<double>(figures.complete_at[1]) / 3269, 0.849, 0.001);
}

}  // namespace
}  // namespace memmatch::eval
