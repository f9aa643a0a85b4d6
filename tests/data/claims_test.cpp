#include "data/claims.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::data {
namespace {

using test::error_of;
using test::TemporaryFolder;

std::vector<Claim> read_all(const std::filesystem::path& file, bool skip = false) {
  ClaimReader reader(file, skip);
  std::vector<Claim> claims;
  for (Claim claim; reader.next(claim);) claims.push_back(claim);
  return claims;
}

Claim read_one(const std::string& line) {
  const TemporaryFolder folder;
  return read_all(folder.write("claims.jsonl", line + "\n")).at(0);
}

TEST(Claims, FeverTrainingClaim) {
  const Claim claim = read_one(
      R"({"id": 7, "verifiable": "VERIFIABLE", "label": "REFUTES", "claim": " The Moon  is a planet.",)"
      R"( "evidence": [[[1, 2, "Moon", 0], [1, 3, "Planet_-LRB-a-RRB-", 4]], [[5, 6, "Moon", 2]]]})");
  EXPECT_EQ(claim.id, "7");
  EXPECT_TRUE(claim.id_is_number);
  EXPECT_EQ(claim.text, "The Moon is a planet.");
  EXPECT_EQ(claim.label, Label::refutes);
  EXPECT_EQ(claim.evidence,
            (std::vector<EvidenceSet>{{{"Moon", 0}, {"Planet_-LRB-a-RRB-", 4}}, {{"Moon", 2}}}));
  EXPECT_TRUE(claim.verifiable());
}

TEST(Claims, UnverifiableClaimsHaveNoEvidence) {
  const Claim claim = read_one(
      R"({"id": 8, "label": "NOT ENOUGH INFO", "claim": "x", "evidence": [[[1, null, null, null]]]})");
  EXPECT_EQ(claim.label, Label::unverifiable);
  EXPECT_TRUE(claim.evidence.empty());
  EXPECT_FALSE(claim.verifiable());
}

TEST(Claims, TestClaimsHaveNoLabel) {
  const Claim claim = read_one(R"({"id": 9, "claim": "Nobody knows."})");
  EXPECT_FALSE(claim.label.has_value());
  EXPECT_FALSE(claim.verifiable());
}

TEST(Claims, SymmetricClaimsOfBothVersionsAreDetokenised) {
  const Claim old_form = read_one(
      R"({"id": "1000000002", "label": "SUPPORTS", "claim": "It 's round .", "evidence_sentence": "Round , it is ."})");
  EXPECT_EQ(old_form.text, "It's round.");
  EXPECT_EQ(old_form.given_evidence, "Round, it is.");
  EXPECT_EQ(old_form.id, "1000000002");
  EXPECT_FALSE(old_form.id_is_number);
  const Claim new_form = read_one(
      R"({"id": "1", "label": "REFUTES", "gold_label": "REFUTES", "claim": "Flat .", "evidence": "Round -LRB- so -RRB- ."})");
  EXPECT_EQ(new_form.given_evidence, "Round (so).");
}

TEST(Claims, BadLinesAreNamed) {
  const TemporaryFolder folder;
  const std::string good = R"({"id": 1, "claim": "ok"})";
  const auto complaint = [&](const std::string& bad) {
    const auto file = folder.write("c.jsonl", good + "\n\n" + bad + "\n" + good + "\n");
    const Error error = error_of([&] { read_all(file); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    const std::string where = file.string() + ":3: ";
    EXPECT_TRUE(std::string(error.what()).starts_with(where)) << error.what();
    return std::string(error.what()).substr(where.size());
  };
  EXPECT_EQ(complaint(R"({"id": 1})"), "field 'claim' is missing");
  EXPECT_EQ(complaint(R"({"id": 1, "claim": " "})"), "field 'claim' is empty");
  EXPECT_EQ(complaint(R"({"claim": "a", "label": "MAYBE"})"),
            "label 'MAYBE' is none of SUPPORTS, REFUTES, NOT ENOUGH INFO");
  EXPECT_EQ(complaint(R"({"claim": "a", "evidence": [[["Moon", 0]]]})"),
            "each entry of 'evidence' must be [annotation, id, title, number]");
  EXPECT_EQ(complaint(R"({"claim": "a", "evidence": [[[0, 0, "Moon", "x"]]]})"),
            "'evidence[][][3]' must be a whole number");
  EXPECT_EQ(complaint(R"({"claim": "a", "evidence": [[[0, 0, "Moon", -1]]]})"),
            "evidence has the sentence number -1");
  complaint("not json");
}

TEST(Claims, BadLinesCanBeSkippedAndAreCounted) {
  const TemporaryFolder folder;
  std::string content;
  for (int i = 0; i < 8; ++i) content += "{\"claim\": \"c\"}\nbad\n";
  ClaimReader reader(folder.write("c.jsonl", content), true);
  int good = 0;
  for (Claim claim; reader.next(claim);) ++good;
  EXPECT_EQ(good, 8);
  EXPECT_EQ(reader.bad_lines().count, 8u);
  EXPECT_EQ(reader.bad_lines().examples.size(), BadLines::kExamples);
}

TEST(Claims, TheSharedFilesAreRead) {
  const auto folder = test::shared_data();
  MEMMATCH_REQUIRE(folder);
  EXPECT_EQ(read_all(folder / "fever-reduced" / "dev.jsonl").size(), 4998u);
  EXPECT_EQ(read_all(folder / "fever-symmetric" / "fever_symmetric_dev.jsonl").size(), 708u);
}

}  // namespace
}  // namespace memmatch::data
