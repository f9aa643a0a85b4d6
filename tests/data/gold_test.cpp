#include "data/gold.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::data {
namespace {

using test::error_of;
using test::TemporaryFolder;

Gold read_one(const std::string& line) {
  const TemporaryFolder folder;
  GoldReader reader(folder.write("gold.jsonl", "\n" + line + "\n"));
  Gold gold;
  EXPECT_TRUE(reader.next(gold));
  Gold none;
  EXPECT_FALSE(reader.next(none));
  return gold;
}

TEST(Gold, NeedsNeitherClaimNorId) {
  const Gold gold = read_one(
      R"({"label": "refutes", "evidence": [[[null, null, "Moon", 1], [null, null, "Earth", 2]]]})");
  EXPECT_EQ(gold.id, "");
  EXPECT_EQ(gold.label, Label::refutes);
  ASSERT_EQ(gold.evidence.size(), 1u);
  EXPECT_EQ(gold.evidence[0].sentences, (EvidenceSet{{"Moon", 1}, {"Earth", 2}}));
  EXPECT_FALSE(gold.evidence[0].unreachable);
}

TEST(Gold, KeepsEmptySetsAndNotesNulls) {
  const Gold gold = read_one(
      R"({"id": 3, "label": "SUPPORTS", "evidence": [[], [[1, 2, "Moon", 0], [1, null, null, null]]]})");
  EXPECT_EQ(gold.id, "3");
  ASSERT_EQ(gold.evidence.size(), 2u);
  EXPECT_TRUE(gold.evidence[0].sentences.empty());
  EXPECT_FALSE(gold.evidence[0].unreachable);
  EXPECT_EQ(gold.evidence[1].sentences, (EvidenceSet{{"Moon", 0}}));
  EXPECT_TRUE(gold.evidence[1].unreachable);
}

TEST(Gold, OfUnverifiableClaimsTheEvidenceDoesNotMatter) {
  EXPECT_FALSE(read_one(R"({"label": "NOT ENOUGH INFO"})").verifiable());
  EXPECT_FALSE(read_one(R"({"label": "NOT ENOUGH INFO", "evidence": [[1, null]]})").verifiable());
}

TEST(Gold, BadLinesAreNamed) {
  const auto complaint = [](const std::string& line) {
    const std::string what = error_of([&] { read_one(line); }).what();
    const std::size_t place = what.find("gold.jsonl:2: ");
    EXPECT_NE(place, std::string::npos) << what;
    return what.substr(place + 14);
  };
  EXPECT_EQ(complaint(R"({"id": 1, "evidence": []})"), "field 'label' is missing");
  EXPECT_EQ(complaint(R"({"label": null, "evidence": []})"), "field 'label' is missing");
  EXPECT_EQ(complaint(R"({"label": "MAYBE", "evidence": []})"),
            "label 'MAYBE' is none of SUPPORTS, REFUTES, NOT ENOUGH INFO");
  EXPECT_EQ(complaint(R"({"label": "SUPPORTS"})"), "field 'evidence' is missing");
  EXPECT_EQ(complaint(R"({"label": "SUPPORTS", "evidence": "It is."})"),
            "'evidence' must be an array");
  EXPECT_EQ(complaint(R"({"label": "SUPPORTS", "evidence": [[["Moon", 1]]]})"),
            "each entry of 'evidence' must be [annotation, id, title, number]");
}

}  // namespace
}  // namespace memmatch::data
