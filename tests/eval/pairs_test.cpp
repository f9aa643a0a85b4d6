#include "eval/pairs.h"

#include <gtest/gtest.h>

#include "eval/evaluate.h"
#include "eval/report.h"
#include "support.h"

namespace memmatch::eval {
namespace {

using test::error_of;
using test::TemporaryFolder;

std::string row(const std::string& claim, const std::string& label, const std::string& more = "") {
  return R"({"claim": ")" + claim + R"(", "evidence": ["One.", "Two."], "label": ")" + label +
         R"(")" + more + "}\n";
}

const std::string kRows = row("a", "SUPPORTS", R"(, "source": "notes", "kind": "date")") +
                          row("b", "REFUTES", R"(, "source": "notes")") +
                          row("c", "NOT ENOUGH INFO", R"(, "source": "news", "kind": "date")") +
                          row("d", "SUPPORTS", R"(, "source": "news")") + row("e", "SUPPORTS");

// Says SUPPORTS to everything, and that level 3 saw half of the second sentence of "b".
std::vector<Verdict> supporting(std::span<const data::Pair> pairs) {
  std::vector<Verdict> verdicts(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    verdicts[i].label = Label::supports;
    verdicts[i].evidence.resize(pairs[i].evidence.size());
    verdicts[i].evidence[1].pieces = 4;
    verdicts[i].evidence[1].pieces_seen = pairs[i].claim.text == "b" ? 2 : 4;
  }
  return verdicts;
}

class PairsTest : public testing::Test {
 protected:
  PairSet read(bool two_class = false, const ClaimChoice& choice = {}) {
    return read_pairs(folder_.write("p.jsonl", kRows), two_class, choice);
  }

  TemporaryFolder folder_;
};

TEST_F(PairsTest, FiguresAreCountedForAllAndForEachPart) {
  const PairSet set = read();
  std::string seen;
  EvaluateOptions options;
  options.batch = 2;
  options.visit = [&](const data::Claim& claim, const Verdict&) { seen += claim.text; };
  const PairFigures figures = evaluate_pairs(set, supporting, options);
  EXPECT_EQ(seen, "abcde");
  const ReportJson json = to_json(figures, set);
  EXPECT_EQ(json["claims"], 5);
  EXPECT_EQ(json["accuracy"], 60.0);
  EXPECT_EQ(json["confusion"]["REFUTES"]["SUPPORTS"], 1);
  EXPECT_EQ(json["sources"]["notes"]["claims"], 2);
  EXPECT_EQ(json["sources"]["notes"]["accuracy"], 50.0);
  EXPECT_EQ(json["sources"]["news"]["confusion"]["NOT ENOUGH INFO"]["SUPPORTS"], 1);
  EXPECT_EQ(json["sources"].size(), 2u);
  EXPECT_EQ(json["kinds"]["date"]["accuracy"], 50.0);
  EXPECT_EQ(json["kinds"].size(), 1u);
  EXPECT_EQ(json["sentences"], 10);
  EXPECT_EQ(json["cut"], 1);
  EXPECT_EQ(json["left_out"], 0);
}

TEST_F(PairsTest, AlwaysGivingOneLabelIsTheBaseline) {
  const PairSet set = read();
  const PairFigures figures = evaluate_pairs(set, supporting, {});
  const ReportJson json = to_json(figures, set);
  EXPECT_EQ(json["always"],
            ReportJson::parse(R"({"SUPPORTS": 60.0, "REFUTES": 20.0, "NOT ENOUGH INFO": 20.0})"));
  EXPECT_EQ(json["majority"], ReportJson::parse(R"({"label": "SUPPORTS", "accuracy": 60.0})"));
  EXPECT_EQ(json["sources"]["news"]["always"]["NOT ENOUGH INFO"], 50.0);
  const std::string text = to_markdown(figures, set);
  for (const char* line :
       {"| | claims | accuracy | always SUPPORTS | always REFUTES | always NOT ENOUGH INFO |\n",
        "| all | 5 | 60.00 % | 60.00 % | 20.00 % | 20.00 % |\n",
        "| news | 2 | 50.00 % | 50.00 % | 0.00 % | 50.00 % |\n",
        "| date | 2 | 50.00 % | 50.00 % | 0.00 % | 50.00 % |\n",
        "| notes | SUPPORTS | REFUTES | NOT ENOUGH INFO | right |\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST_F(PairsTest, WithTwoClassesUnverifiableOnesAreLeftOutAndCounted) {
  const PairSet set = read(true);
  EXPECT_EQ(set.pairs.size(), 4u);
  const PairFigures figures = evaluate_pairs(set, supporting, {});
  const ReportJson json = to_json(figures, set);
  EXPECT_EQ(json["claims"], 4);
  EXPECT_EQ(json["accuracy"], 75.0);
  EXPECT_EQ(json["left_out"], 1);
  EXPECT_FALSE(json["always"].contains("NOT ENOUGH INFO"));
  EXPECT_NE(to_markdown(figures, set).find("1 claims whose label is NOT ENOUGH INFO were left out"),
            std::string::npos);
}

TEST_F(PairsTest, TheFirstOrSomeOfThemAreTaken) {
  const auto texts = [](const PairSet& set) {
    std::string all;
    for (const data::Pair& pair : set.pairs) all += pair.claim.text;
    return all;
  };
  EXPECT_EQ(texts(read(false, {.limit = 2})), "ab");
  EXPECT_EQ(texts(read(false, {.sample = 2})), "ad");
  EXPECT_EQ(texts(read(true, {.limit = 3})), "ab");
}

TEST_F(PairsTest, AFileThatLeavesNoneIsRefused) {
  const auto unverifiable = folder_.write("u.jsonl", row("a", "NOT ENOUGH INFO"));
  const Error error = error_of([&] { read_pairs(unverifiable, true, {}); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("with two classes"), std::string::npos);
  EXPECT_EQ(error_of([&] { read_pairs(folder_.write("e.jsonl", "\n"), false, {}); }).kind(),
            ErrorKind::corrupt);
}

}  // namespace
}  // namespace memmatch::eval
