#include "eval/symmetric.h"

#include <gtest/gtest.h>

#include "eval_support.h"

namespace memmatch::eval {
namespace {

using test::error_of;
using test::TemporaryFolder;

std::string new_row(const std::string& id, const std::string& claim, const std::string& evidence,
                    const std::string& label) {
  return R"({"id": ")" + id + R"(", "claim": ")" + claim + R"(", "evidence": ")" + evidence +
         R"(", "label": ")" + label + "\"}\n";
}

std::string old_row(const std::string& id, const std::string& claim, const std::string& evidence) {
  return R"({"id": ")" + id + R"(", "claim": ")" + claim + R"(", "evidence_sentence": ")" +
         evidence + R"(", "label": "SUPPORTS"})" + "\n";
}

class SymmetricTest : public testing::Test {
 protected:
  SymmetricTest() : store_(Datastore::open(folder_ / "s.db", Datastore::Access::create)) {
    test::import_all(store_, {test::document("Moon", {"The Moon orbits the Earth.", "",
                                                      "It is round.", "It shines at night."}),
                              test::document("Earth", {"The Earth is round.", "It is blue."})});
  }

  SymmetricSet read(const std::string& rows, const std::string& claims = "") {
    return read_symmetric(folder_.write("sym.jsonl", rows), {folder_.write("dev.jsonl", claims)},
                          store_);
  }

  TemporaryFolder folder_;
  Datastore store_;
};

const std::string kGroup = new_row("70000004", "The Moon is flat .", "It is square .", "REFUTES") +
                           new_row("7", "The Moon is round .", "It is rounded .", "SUPPORTS") +
                           new_row("70000002", "The Moon is round .", "It is flat .", "REFUTES") +
                           new_row("70000003", "The Moon is flat .", "It is rounded .", "REFUTES");

// "Earth 0" is no single-sentence set, "Moon 0" is less similar; sets and ids as in FEVER.
const std::string kParent =
    R"({"id": 7, "label": "SUPPORTS", "claim": "The Moon is round.", "evidence": )"
    R"([[[1, 1, "Moon", 0]], [[1, 1, "Moon", 2]], [[1, 1, "Earth", 0], [1, 1, "Earth", 1]]]})"
    "\n";

TEST_F(SymmetricTest, AGroupInheritsTitleAndNumberOfTheParentsGoldEvidence) {
  const SymmetricSet set = read(kGroup, kParent);
  EXPECT_EQ(set.groups, 1u);
  EXPECT_EQ(set.found_by, (std::array<std::uint64_t, 3>{1, 0, 0}));
  EXPECT_EQ(set.dissimilar, 1u) << "'It is rounded.' and 'It is round.'";
  ASSERT_EQ(set.rows.size(), 4u);
  for (const SymmetricRow& row : set.rows) {
    EXPECT_EQ(row.parent, "7");
    EXPECT_EQ(row.evidence.raw_title, "Moon");
    EXPECT_EQ(row.evidence.number, 2);
  }
  EXPECT_EQ(set.rows[0].kind, SymmetricKind::changed_both);
  EXPECT_EQ(set.rows[0].evidence.text, "It is square.");
  EXPECT_TRUE(set.rows[0].evidence_changed);
  EXPECT_EQ(set.rows[1].kind, SymmetricKind::original);
  EXPECT_FALSE(set.rows[1].evidence_changed);
  EXPECT_EQ(set.rows[2].kind, SymmetricKind::changed_evidence);
  EXPECT_TRUE(set.rows[2].evidence_changed);
  EXPECT_EQ(set.rows[3].kind, SymmetricKind::changed_claim);
  EXPECT_FALSE(set.rows[3].evidence_changed);
}

TEST_F(SymmetricTest, WithoutTheParentTheCoverIsSearched) {
  const SymmetricSet set = read(kGroup);
  EXPECT_EQ(set.found_by, (std::array<std::uint64_t, 3>{0, 1, 0}));
  EXPECT_EQ(set.rows[3].evidence.title, "Moon");
  EXPECT_EQ(set.rows[3].evidence.number, 2);
}

TEST_F(SymmetricTest, AParentWhoseEvidenceTheStoreLacksDoesNotHelp) {
  const SymmetricSet set = read(
      kGroup, R"({"id": 7, "label": "SUPPORTS", "claim": "c", "evidence": [[[1, 1, "Mars", 0]]]})");
  EXPECT_EQ(set.found_by, (std::array<std::uint64_t, 3>{0, 1, 0}));
}

TEST_F(SymmetricTest, WhatTheClaimDoesNotReachIsNotFound) {
  const SymmetricSet set = read(new_row("8", "Luna is round .", "It is round .", "SUPPORTS"));
  EXPECT_EQ(set.found_by, (std::array<std::uint64_t, 3>{0, 0, 1}));
  EXPECT_EQ(set.rows[0].evidence.raw_title, "");
  EXPECT_EQ(set.rows[0].evidence.text, "It is round.");
  EXPECT_EQ(set.dissimilar, 0u);
}

TEST_F(SymmetricTest, VersionOneHasNoParentRows) {
  // The changed claim's row has the original evidence, the changed evidence's row the claim.
  const SymmetricSet set = read(old_row("70000004", "Luna is big .", "It is blue .") +
                                old_row("70000002", "The Moon shines .", "It hides at night .") +
                                old_row("70000003", "Luna is dark .", "It shines at night ."));
  EXPECT_EQ(set.groups, 1u);
  EXPECT_EQ(set.dissimilar, 0u);
  EXPECT_EQ(set.rows[0].evidence.raw_title, "Moon");
  EXPECT_EQ(set.rows[0].evidence.number, 3);
  EXPECT_TRUE(set.rows[0].evidence_changed);
  EXPECT_TRUE(set.rows[1].evidence_changed);
  EXPECT_FALSE(set.rows[2].evidence_changed);
}

TEST_F(SymmetricTest, BadRowsAreNamed) {
  const auto complaint = [&](const std::string& row) {
    const std::string what = error_of([&] { read(kGroup + row); }).what();
    EXPECT_NE(what.find("sym.jsonl:5: "), std::string::npos) << what;
    return what;
  };
  EXPECT_NE(complaint(kParent).find("must have its evidence"), std::string::npos);
  EXPECT_NE(complaint(R"({"claim": "c", "evidence": "e", "label": "REFUTES"})").find("'id'"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"id": "1", "claim": "c", "evidence": "e"})").find("'label'"),
            std::string::npos);
  EXPECT_NE(complaint(new_row("9", "c", "e", "NOT ENOUGH INFO")).find("SUPPORTS and REFUTES"),
            std::string::npos);
}

TEST_F(SymmetricTest, FiguresByKind) {
  const SymmetricSet set = read(kGroup, kParent);
  SymmetricFigures figures;
  const std::array labels{Label::refutes, Label::supports, Label::supports, Label::supports};
  for (std::size_t i = 0; i < 4; ++i) {
    Verdict verdict;
    verdict.label = labels[i];
    verdict.evidence = {set.rows[i].evidence};
    verdict.evidence[0].level2_distance = static_cast<double>(i);
    verdict.label_distances[static_cast<std::size_t>(labels[i])] = 1;
    count_symmetric(set.rows[i], verdict, figures);
  }
  EXPECT_EQ(figures.all.right, 2u);
  EXPECT_EQ(figures.changed.claims, 2u);
  EXPECT_EQ(figures.changed.right, 1u);
  EXPECT_EQ(figures.unchanged.right, 1u);
  EXPECT_EQ(figures.by_kind[2].claims, 1u);
  EXPECT_EQ(figures.by_kind[2].right, 0u);
  EXPECT_EQ(figures.confusion[1][0], 2u);
  EXPECT_DOUBLE_EQ(figures.level2_right.mean(), 0.5);
  EXPECT_DOUBLE_EQ(figures.level2_wrong.mean(), 2.5);
  EXPECT_EQ(figures.level3_wrong.count(), 2u);
}

TEST(Symmetric, TheSharedSetIsFoundInTheReducedCorpus) {
  const auto data = test::shared_data();
  MEMMATCH_REQUIRE(data);
  const TemporaryFolder folder;
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
  test::import_reduced_fever(store);
  const SymmetricSet set = read_symmetric(data / "fever-symmetric" / "fever_symmetric_dev.jsonl",
                                          {data / "fever-reduced" / "dev.jsonl"}, store);
  EXPECT_EQ(set.rows.size(), 708u);
  EXPECT_EQ(set.groups, 177u);
  EXPECT_EQ(set.found_by, (std::array<std::uint64_t, 3>{76, 101, 0}));
  EXPECT_LE(set.dissimilar, 15u);
  // What the ids say of the evidence is what the texts say.
  for (const SymmetricRow& row : set.rows) {
    EXPECT_EQ(row.evidence_changed, row.kind == SymmetricKind::changed_evidence ||
                                        row.kind == SymmetricKind::changed_both);
  }
}

}  // namespace
}  // namespace memmatch::eval
