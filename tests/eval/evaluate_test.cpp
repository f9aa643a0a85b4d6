#include "eval/evaluate.h"

#include <gtest/gtest.h>

#include "eval/report.h"
#include "eval_support.h"

namespace memmatch::eval {
namespace {

using test::error_of;
using test::TemporaryFolder;

const std::string kClaims =
    R"({"id": 1, "label": "SUPPORTS", "claim": "The Moon is round.", "evidence": [[[0, 0, "Moon", 2]]]})"
    "\n"
    R"({"id": 2, "label": "REFUTES", "claim": "The Earth is a moon.", "evidence": [[[0, 0, "Earth", 0]]]})"
    "\n"
    R"({"id": 3, "label": "NOT ENOUGH INFO", "claim": "The Moon is cheese.", "evidence": []})"
    "\n";

class EvaluateTest : public testing::Test {
 protected:
  EvaluateTest() : store_(test::small_store(folder_ / "s.db")) {}

  // Keeps the cover's sentences in the order of their ids and calls everything supported.
  Verdict search(const data::Claim& claim, const SearchOptions& settings) {
    Verdict verdict;
    verdict.label = Label::supports;
    verdict.label_distances = {0.5, 1.5, 2.5};
    verdict.beams.emplace();
    for (const Candidate& candidate : store_.cover(claim.text).sentences) {
      ++verdict.candidates;
      const double distance = static_cast<double>(verdict.candidates);
      if (verdict.candidates > static_cast<std::uint64_t>(settings.k1)) continue;
      verdict.beams->level1.push_back({candidate.id, distance});
      if (verdict.candidates > static_cast<std::uint64_t>(settings.z)) continue;
      verdict.beams->level2.push_back({candidate.id, distance});
      Evidence evidence;
      evidence.id = candidate.id;
      evidence.raw_title = store_.document(candidate.document)->raw_title;
      evidence.number = candidate.number;
      evidence.level2_distance = distance;
      verdict.evidence.push_back(evidence);
    }
    return verdict;
  }

  SearchClaims searching(const SearchOptions& settings) {
    return [this, settings](std::span<const data::Claim> claims) {
      batches_.push_back(claims.size());
      std::vector<Verdict> verdicts;
      for (const data::Claim& claim : claims) verdicts.push_back(search(claim, settings));
      return verdicts;
    };
  }

  TemporaryFolder folder_;
  Datastore store_;
  std::vector<std::size_t> batches_;
};

TEST_F(EvaluateTest, ClaimsAreSearchedInBatchesAndCountedInOrder) {
  EvaluateOptions options;
  options.batch = 2;
  std::vector<std::string> seen;
  options.visit = [&](const data::Claim& claim, const Verdict&) { seen.push_back(claim.id); };
  std::vector<std::uint64_t> done;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 3u);
    done.push_back(progress.done);
  };
  const Figures figures =
      evaluate(folder_.write("c.jsonl", kClaims), store_, searching({}), options);
  EXPECT_EQ(batches_, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(done, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(figures.claims, 3u);
  EXPECT_EQ(figures.right(), 1u);
  EXPECT_EQ(figures.overlap.claims, 2u);
  EXPECT_EQ(figures.overlap.strict, 1u) << "the second claim shares more with the Moon";
  EXPECT_EQ(figures.level1.strict, 0u);
}

TEST_F(EvaluateTest, OnlySoManyClaimsWhereAsked) {
  EvaluateOptions options;
  options.choice.limit = 2;
  options.overlap = false;
  const Figures figures = evaluate(folder_.write("c.jsonl", kClaims + "not even JSON\n"), store_,
                                   searching({}), options);
  EXPECT_EQ(figures.claims, 2u);
  EXPECT_EQ(figures.overlap.claims, 0u);
}

TEST_F(EvaluateTest, UnlabelledClaimsAreRefusedBeforeAnythingIsSearched) {
  const auto file = folder_.write("c.jsonl", kClaims + R"({"id": 4, "claim": "Who knows?"})");
  const Error error = error_of([&] { evaluate(file, store_, searching({}), {}); });
  EXPECT_EQ(error.what(), file.string() +
                              ":4: the claim has no label, so there is nothing to evaluate; "
                              "'predict' takes unlabelled claims");
  EXPECT_TRUE(batches_.empty());
  EXPECT_EQ(error_of([&] { evaluate("-", store_, searching({}), {}); }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(
      error_of([&] { evaluate(folder_.write("e.jsonl", "\n"), store_, searching({}), {}); }).kind(),
      ErrorKind::corrupt);
}

TEST_F(EvaluateTest, ASearchThatLosesAClaimIsNoticed) {
  const auto file = folder_.write("c.jsonl", kClaims);
  const SearchClaims lossy = [](std::span<const data::Claim>) { return std::vector<Verdict>(1); };
  EXPECT_EQ(error_of([&] { evaluate(file, store_, lossy, {}); }).kind(),
            ErrorKind::invalid_argument);
}

TEST_F(EvaluateTest, ReportsSayTheSameInJsonAndMarkdown) {
  SearchOptions settings;
  settings.k1 = 3;
  settings.z = 1;
  const Figures figures =
      evaluate(folder_.write("c.jsonl", kClaims), store_, searching(settings), {});
  const ReportJson json = to_json(figures, settings);
  EXPECT_EQ(json["claims"], 3);
  EXPECT_NEAR(json["accuracy"].get<double>(), 100.0 / 3, 1e-9);
  EXPECT_EQ(json["fever_score"], 0.0);
  EXPECT_EQ(json["labels"]["SUPPORTS"]["accuracy"], 100.0);
  EXPECT_EQ(json["confusion"]["NOT ENOUGH INFO"]["SUPPORTS"], 1);
  EXPECT_EQ(json["level1"]["complete_at"], ReportJson::parse(R"({"1": 0.0, "3": 100.0})"));
  EXPECT_EQ(json["level2"]["complete_at"], ReportJson::parse(R"({"1": 0.0})"));
  EXPECT_EQ(json["level1"]["any_chosen"], 100.0);
  EXPECT_NEAR(json["level1"]["mrr"].get<double>(), (1.0 / 2 + 1.0 / 3) / 2, 1e-9);
  EXPECT_EQ(json["overlap"]["strict"], 50.0);
  EXPECT_EQ(json["oracle"]["within_cover"], 100.0);
  EXPECT_EQ(json["oracle"]["within_level2"], 0.0);
  EXPECT_NEAR(json["oracle"]["accuracy"].get<double>(), 100.0 / 3, 1e-9);
  EXPECT_EQ(json["distances"]["level3"]["wrong"]["count"], 2);
  const std::string text = to_markdown(figures, settings);
  for (const std::string_view part :
       {"| | 3 claims |\n", "| accuracy | 33.33 % |\n", "| SUPPORTS | 1 | 0 | 0 | 100.00 % |\n",
        "| 2 claims with gold evidence | word overlap | level 1, k1 = 3 | level 2, z = 1 |\n",
        "| … in the first 3 | 100.00 % | 100.00 % | – |\n",
        "| mean reciprocal rank | 0.6667 | 0.4167 | 0.0000 |\n",
        "| level 3, decision wrong | 2 | 0.500 | 0.000 |\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  }
}

TEST_F(EvaluateTest, ASweepIsATableOfK1AndZ) {
  const std::vector<int> k1{1, 3};
  const std::vector<int> z{1, 2};
  const std::vector<SearchOptions> settings = sweep_settings(k1, z, {});
  ASSERT_EQ(settings.size(), 4u);
  EXPECT_EQ(settings[1].k1, 1);
  EXPECT_EQ(settings[1].z, 2);
  const SearchSettings searching_all = [&](std::span<const data::Claim> claims,
                                           std::span<const SearchOptions> cells) {
    std::vector<std::vector<Verdict>> verdicts;
    for (const data::Claim& claim : claims) {
      verdicts.emplace_back();
      for (const SearchOptions& cell : cells) verdicts.back().push_back(search(claim, cell));
    }
    return verdicts;
  };
  const std::vector<Figures> figures =
      sweep(folder_.write("c.jsonl", kClaims), store_, settings, searching_all, {});
  ASSERT_EQ(figures.size(), 4u);
  EXPECT_EQ(sweep_to_markdown(figures, settings),
            "| k1 | z = 1 | z = 2 |\n|---|---:|---:|\n"
            "| 1 | 33.33 / 0.00 | 33.33 / 0.00 |\n"
            "| 3 | 33.33 / 0.00 | 33.33 / 33.33 |\n"
            "\nAccuracy / FEVER score in percent, over 3 claims.\n");
  const ReportJson json = sweep_to_json(figures, settings);
  EXPECT_EQ(json["claims"], 3);
  EXPECT_EQ(json["cells"][2]["k1"], 3);
  EXPECT_EQ(json["cells"][2]["within_level1"], 100.0);
  EXPECT_EQ(json["cells"][0]["within_level1"], 0.0);
}

TEST_F(EvaluateTest, SymmetricRowsBringTheirEvidence) {
  const auto file = folder_.write(
      "sym.jsonl",
      R"({"id": "7", "claim": "The Moon is round .", "evidence": "It is round .", "label": "SUPPORTS"})"
      "\n"
      R"({"id": "70000002", "claim": "The Moon is round .", "evidence": "It is flat .", "label": "REFUTES"})"
      "\n");
  const SymmetricSet set = read_symmetric(file, {}, store_);
  std::vector<std::string> given;
  const SymmetricFigures figures =
      evaluate_symmetric(set,
                         [&](std::span<const SymmetricRow> rows) {
                           std::vector<Verdict> verdicts(rows.size());
                           for (std::size_t i = 0; i < rows.size(); ++i) {
                             given.push_back(rows[i].evidence.title + ": " + rows[i].evidence.text);
                             verdicts[i].label = Label::supports;
                           }
                           return verdicts;
                         },
                         {});
  EXPECT_EQ(given, (std::vector<std::string>{"Moon: It is round.", "Moon: It is flat."}));
  const ReportJson json = to_json(figures, set);
  EXPECT_EQ(json["accuracy"], 50.0);
  EXPECT_EQ(json["changed"], ReportJson::parse(R"({"claims": 1, "accuracy": 0.0})"));
  EXPECT_EQ(json["found_by_cover"], 1);
  const std::string text = to_markdown(figures, set);
  EXPECT_NE(text.find("| evidence changed | 1 | 0.00 % |\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace memmatch::eval
