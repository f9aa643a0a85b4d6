#include "search/training_texts.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::search {
namespace {

class TrainingTextsTest : public testing::Test {
 protected:
  TrainingTextsTest() : store_(Datastore::open(folder_ / "s.db", Datastore::Access::create)) {
    auto import = store_.begin_import();
    import.add({"Moon_-LRB-film-RRB-",
                "Moon (film)",
                { {0, "It is a film."},
                  { 2,
                    "It is long." } }});
    import.add({"Earth", "Earth", { { 0, "It is a planet." } }});
    import.commit();
  }

  data::Claim claim(Label label, std::vector<data::EvidenceSet> evidence) {
    data::Claim result;
    result.text = "Moon is a film.";
    result.label = label;
    result.evidence = std::move(evidence);
    return result;
  }

  test::TemporaryFolder folder_;
  Datastore store_;
};

TEST_F(TrainingTextsTest, AQueryIsTheClaimWithItsPrefix) {
  EXPECT_EQ(query_text(claim(Label::supports, {})), "Claim: Moon is a film.");
}

TEST_F(TrainingTextsTest, ASupportHasLabelClaimAndChosenEvidence) {
  const data::Claim supported =
      claim(Label::supports, {{{"Earth", 0}}, {{"Moon_-LRB-film-RRB-", 2}, {"Earth", 0}}});
  // The first set is smaller, but the claim does not cover its title.
  EXPECT_EQ(support_text(supported, &store_),
            "Supports: Claim: Moon is a film. Evidence: Moon (film), sentence 2: It is long. "
            "Evidence: Earth, sentence 0: It is a planet.");
}

TEST_F(TrainingTextsTest, UnverifiableClaimsHaveNoEvidence) {
  EXPECT_EQ(support_text(claim(Label::unverifiable, {}), &store_),
            "Unverifiable: Claim: Moon is a film.");
}

TEST_F(TrainingTextsTest, EvidenceThatIsNotInTheDatastoreIsLeftOut) {
  const data::Claim refuted = claim(Label::refutes, {{{"Mars", 0}, {"Earth", 7}}});
  EXPECT_EQ(support_text(refuted, &store_), "Refutes: Claim: Moon is a film.");
  EXPECT_EQ(support_text(refuted, nullptr), "Refutes: Claim: Moon is a film.");
}

TEST_F(TrainingTextsTest, EvidenceThatTheClaimBringsIsTaken) {
  data::Claim symmetric = claim(Label::refutes, {});
  symmetric.given_evidence = "Moon is a book.";
  EXPECT_EQ(support_text(symmetric, nullptr),
            "Refutes: Claim: Moon is a film. Evidence: Moon is a book.");
}

}  // namespace
}  // namespace memmatch::search
