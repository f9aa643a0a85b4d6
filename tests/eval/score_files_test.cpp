#include "eval/score_files.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::eval {
namespace {

using test::error_of;
using test::TemporaryFolder;

std::string gold_line(int id, const std::string& label, const std::string& title) {
  return "{\"id\": " + std::to_string(id) + ", \"label\": \"" + label +
         "\", \"claim\": \"c\", \"evidence\": [[[1, 2, \"" + title + "\", 0]]]}\n";
}

std::string prediction_line(int id, const std::string& label, const std::string& title) {
  return "{\"id\": " + std::to_string(id) + ", \"predicted_label\": \"" + label +
         "\", \"predicted_evidence\": [[\"" + title + "\", 0]]}\n";
}

class ScoreFilesTest : public testing::Test {
 protected:
  FileScore score(const std::string& gold, const std::string& predictions, bool by_id = false) {
    ScoreOptions options;
    options.by_id = by_id;
    warnings_.clear();
    return score_files(folder_.write("gold.jsonl", gold), folder_.write("p.jsonl", predictions),
                       options, [&](const std::string& warning) { warnings_.push_back(warning); });
  }

  std::string complaint(const std::string& gold, const std::string& predictions,
                        bool by_id = false) {
    const Error error = error_of([&] { score(gold, predictions, by_id); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    return without_folder(error.what());
  }

  // Paths as if the files were in the current folder.
  std::string without_folder(std::string text) const {
    const std::string prefix = (folder_ / "").string();
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
      text.erase(at, prefix.size());
    return text;
  }

  TemporaryFolder folder_;
  std::vector<std::string> warnings_;
};

const std::string kGold = gold_line(1, "SUPPORTS", "A") + gold_line(2, "REFUTES", "B");
const std::string kSwapped =
    prediction_line(2, "refutes", "B") + prediction_line(1, "supports", "A");

TEST_F(ScoreFilesTest, LinesArePairedByPositionAndIdsThatDisagreeAreTold) {
  const FileScore result = score(kGold, kSwapped);
  EXPECT_EQ(result.claims, 2u);
  EXPECT_EQ(result.score, (FeverScore{0, 0, 0, 0, 0}));
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(without_folder(warnings_[0]),
            "gold.jsonl:1 has the id 1, but p.jsonl:1 has 2; lines are paired by position, --by-id "
            "pairs them by id (and 1 more such lines)");
}

TEST_F(ScoreFilesTest, LinesCanBePairedById) {
  EXPECT_EQ(score(kGold, kSwapped, true).score, (FeverScore{1, 1, 1, 1, 1}));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(ScoreFilesTest, WithoutIdsThereIsNothingToDisagree) {
  score(kGold, R"({"predicted_label": "SUPPORTS", "predicted_evidence": []})"
               "\n"
               R"({"predicted_label": "MAYBE", "predicted_evidence": []})"
               "\n");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(without_folder(warnings_[0]),
            "p.jsonl:2: predicted_label 'MAYBE' counts as wrong: it is none of SUPPORTS, REFUTES, "
            "NOT ENOUGH INFO");
}

TEST_F(ScoreFilesTest, TitlesInAnotherUnicodeFormAreReportedApart) {
  const FileScore result =
      score(gold_line(1, "SUPPORTS", "Caf\u00e9"), prediction_line(1, "SUPPORTS", "Cafe\u0301"));
  EXPECT_EQ(result.score, (FeverScore{0, 1, 0, 0, 0}));
  EXPECT_EQ(result.nfc_score, (FeverScore{1, 1, 1, 1, 1}));
}

TEST_F(ScoreFilesTest, FilesOfDifferentLengthAreRefused) {
  EXPECT_EQ(
      complaint(kGold, prediction_line(1, "SUPPORTS", "A")),
      "p.jsonl:1: the predictions end here, after 1, but there are more claims: gold.jsonl:2");
  EXPECT_EQ(
      complaint(gold_line(1, "SUPPORTS", "A"), "\n" + kSwapped),
      "p.jsonl:3: a prediction too many, there are only 1 claims; they end with gold.jsonl:1");
  EXPECT_EQ(complaint("", ""), "gold.jsonl: there are no claims in this file");
}

TEST_F(ScoreFilesTest, ById) {
  EXPECT_EQ(complaint(kGold, prediction_line(1, "SUPPORTS", "A"), true),
            "gold.jsonl:2: there is no prediction for the id 2");
  EXPECT_EQ(
      complaint(kGold,
                kSwapped + prediction_line(4, "REFUTES", "B") + prediction_line(3, "REFUTES", "B"),
                true),
      "p.jsonl:3: there is no claim with the id 4");
  EXPECT_EQ(complaint(kGold, kSwapped + prediction_line(1, "REFUTES", "B"), true),
            "p.jsonl:3: the id 1 occurs twice, first in p.jsonl:2");
  EXPECT_EQ(complaint(kGold + gold_line(1, "REFUTES", "C"), kSwapped, true),
            "gold.jsonl:3: the id 1 occurs twice, first in gold.jsonl:1");
  EXPECT_EQ(complaint(kGold, R"({"predicted_label": "SUPPORTS", "predicted_evidence": []})", true),
            "p.jsonl:1: field 'id' is missing");
  EXPECT_EQ(complaint(R"({"label": "NOT ENOUGH INFO"})", kSwapped, true),
            "gold.jsonl:1: field 'id' is missing");
}

TEST_F(ScoreFilesTest, UnlabelledClaimsAreRefused) {
  EXPECT_EQ(complaint(R"({"id": 1, "claim": "c"})", kSwapped),
            "gold.jsonl:1: field 'label' is missing");
}

}  // namespace
}  // namespace memmatch::eval
