#include "data/predictions.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch::data {
namespace {

using test::error_of;
using test::TemporaryFolder;

std::vector<Prediction> read_all(const std::filesystem::path& file) {
  PredictionReader reader(file);
  std::vector<Prediction> predictions;
  for (Prediction prediction; reader.next(prediction);) predictions.push_back(prediction);
  return predictions;
}

TEST(Predictions, AVerdictBecomesALine) {
  Claim claim;
  claim.id = "12";
  claim.id_is_number = true;
  Verdict verdict;
  verdict.label = Label::refutes;
  verdict.evidence.resize(2);
  verdict.evidence[0].raw_title = "Bones_-LRB-TV_series-RRB-";
  verdict.evidence[0].title = "Bones (TV series)";
  verdict.evidence[0].number = 4;
  verdict.evidence[1].raw_title = "Caf\u00e9_\"x\"";
  EXPECT_EQ(to_line(to_prediction(claim, verdict)),
            "{\"id\":12,\"predicted_label\":\"REFUTES\",\"predicted_evidence\":"
            "[[\"Bones_-LRB-TV_series-RRB-\",4],[\"Caf\u00e9_\\\"x\\\"\",0]]}");
}

TEST(Predictions, IdsGoOutAsTheyCameIn) {
  const TemporaryFolder folder;
  const std::string lines =
      "{\"id\":7,\"predicted_label\":\"SUPPORTS\",\"predicted_evidence\":[[\"Moon\",0]]}\n"
      "{\"id\":\"7\",\"predicted_label\":\"x\",\"predicted_evidence\":[]}\n"
      "{\"predicted_label\":\"NOT ENOUGH INFO\",\"predicted_evidence\":[]}\n";
  std::string copy;
  for (const Prediction& prediction : read_all(folder.write("p.jsonl", lines)))
    copy += to_line(prediction) + "\n";
  EXPECT_EQ(copy, lines);
}

TEST(Predictions, BadLinesAreNamed) {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& line) {
    const auto file = folder.write("p.jsonl", "\n" + line + "\n");
    const std::string what = error_of([&] { read_all(file); }).what();
    const std::string where = file.string() + ":2: ";
    EXPECT_TRUE(what.starts_with(where)) << what;
    return what.substr(where.size());
  };
  EXPECT_EQ(complaint(R"({"id": 1, "predicted_evidence": []})"),
            "field 'predicted_label' is missing");
  EXPECT_EQ(complaint(R"({"id": 1, "predicted_label": "SUPPORTS"})"),
            "field 'predicted_evidence' is missing");
  EXPECT_EQ(complaint(R"({"predicted_label": "SUPPORTS", "predicted_evidence": [["Moon"]]})"),
            "each entry of 'predicted_evidence' must be [title, number]");
  EXPECT_EQ(complaint(R"({"predicted_label": "SUPPORTS", "predicted_evidence": [["Moon", "0"]]})"),
            "'predicted_evidence[][1]' must be a whole number");
  EXPECT_EQ(complaint(R"({"predicted_label": "SUPPORTS", "predicted_evidence": [[null, 0]]})"),
            "'predicted_evidence[][0]' must be a string");
  EXPECT_EQ(complaint(R"({"id": 1.5, "predicted_label": "SUPPORTS", "predicted_evidence": []})"),
            "'id' must be a string");
}

}  // namespace
}  // namespace memmatch::data
