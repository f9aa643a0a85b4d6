#include "eval/cover_figures.h"

#include <gtest/gtest.h>

#include "data/documents.h"
#include "store/store_support.h"

namespace memmatch::eval {
namespace {

using test::TemporaryFolder;

data::Claim claim(const std::string& text, Label label, std::vector<data::EvidenceSet> evidence) {
  data::Claim claim;
  claim.text = text;
  claim.label = label;
  claim.evidence = std::move(evidence);
  return claim;
}

TEST(CoverFigures, CountWhatIsWithinReach) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  CoverFigures figures;
  // Complete; complete through the second set; title only (sentence 1 is blank); none;
  // unverifiable.
  count_cover(store, claim("The Moon is round.", Label::supports, {{{"Moon", 2}}}), figures);
  count_cover(store,
              claim("The Moon.", Label::refutes, {{{"Moon", 0}, {"Earth", 0}}, {{"Moon", 0}}}),
              figures);
  count_cover(store, claim("The Moon.", Label::refutes, {{{"Moon", 1}}}), figures);
  count_cover(store, claim("Luna.", Label::supports, {{{"Moon", 0}}}), figures);
  count_cover(store, claim("The Earth is warm.", Label::unverifiable, {}), figures);
  EXPECT_EQ(figures.claims, 5u);
  EXPECT_EQ(figures.titles, 4u);
  EXPECT_EQ(figures.sentences, 7u);
  EXPECT_EQ(figures.verifiable, 4u);
  EXPECT_EQ(figures.any_gold_title, 3u);
  EXPECT_EQ(figures.full_gold_set, 2u);
  EXPECT_EQ(figures.without_candidates, 1u);
}

TEST(CoverFigures, TitlesMayBeSpeltInAnotherUnicodeForm) {
  const TemporaryFolder folder;
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
  test::import_all(store, {test::document("Cafe\u0301", {"It is open."})});
  CoverFigures figures;
  count_cover(store, claim("The café is open.", Label::supports, {{{"Caf\u00e9", 0}}}), figures);
  EXPECT_EQ(figures.full_gold_set, 1u);
}

// The figures of an independent implementation of the cover on the reduced FEVER corpus.
TEST(CoverFigures, AgreeWithAnIndependentImplementation) {
  const auto data = test::shared_data() / "fever-reduced";
  MEMMATCH_REQUIRE(data);
  const TemporaryFolder folder;
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
  Datastore::Import import = store.begin_import();
  const auto reader = data::open_documents(data::DocumentFormat::fever_wiki, data / "wiki-pages");
  for (NewDocument document; reader->next(document);) import.add(document);
  import.commit();
  EXPECT_EQ(store.stats().documents, 57'187u);
  EXPECT_EQ(store.stats().sentences, 309'594u);

  CoverFigures figures;
  data::ClaimReader claims(data / "dev.jsonl");
  for (data::Claim claim; claims.next(claim);) count_cover(store, claim, figures);
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  EXPECT_EQ(figures.claims, 4998u);
  EXPECT_EQ(figures.verifiable, 3269u);
  EXPECT_EQ(figures.without_candidates, 3u);
  EXPECT_NEAR(ratio(figures.titles, figures.claims), 5.16, 0.005);
  EXPECT_NEAR(ratio(figures.sentences, figures.claims), 34.12, 0.005);
  EXPECT_NEAR(ratio(figures.any_gold_title, figures.verifiable), 0.9771, 0.00005);
  EXPECT_NEAR(ratio(figures.full_gold_set, figures.verifiable), 0.9153, 0.00005);
}

}  // namespace
}  // namespace memmatch::eval
