#include "report/evaluation_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "eval/eval_support.h"
#include "eval/trust.h"
#include "report/evaluation_plots.h"
#include "support.h"

namespace memmatch::report {
namespace {

using test::error_of;
using test::TemporaryFolder;

Verdict verdict(double level2, Label label, bool changed) {
  Verdict verdict;
  verdict.label = label;
  verdict.label_distances.fill(3);
  verdict.label_distances[static_cast<std::size_t>(label)] = 1;
  verdict.evidence.resize(1);
  verdict.evidence[0].level2_distance = level2;
  verdict.evidence[0].edited = changed;
  verdict.evidence[0].title = "R & B";
  verdict.evidence[0].text = "It is <music>.";
  return verdict;
}

// What `evaluate --json` would print of ten claims.
nlohmann::ordered_json figures(bool calibrated = true) {
  audit::Calibration calibration;
  calibration.train.file = "train.jsonl";
  calibration.level2 = audit::statistics_of({4});
  calibration.level3 = audit::statistics_of({2});
  eval::Figures figures;
  eval::TrustOptions options{.examples = 2};
  if (calibrated) options.calibration = calibration;
  eval::Trust trust(std::move(options));
  for (int i = 0; i < 10; ++i) {
    const Label label = i < 7 ? Label::supports : Label::refutes;
    ++figures.claims;
    ++figures.confusion[0][static_cast<std::size_t>(label)];
    trust.add(test::claim("Claim " + std::to_string(i), Label::supports), verdict(i, label, i > 8));
  }
  nlohmann::ordered_json json = eval::to_json(figures, {});
  json["trust"] = trust.to_json();
  return json;
}

class EvaluationPageTest : public testing::Test {
 protected:
  std::string report(const nlohmann::ordered_json& json) {
    return evaluation_report(folder_.write("dev.json", json.dump()));
  }

  TemporaryFolder folder_;
};

TEST_F(EvaluationPageTest, HasTablesPlotsAndExamples) {
  const std::string html = report(figures());
  for (const char* text :
       {"<title>Evaluation dev</title>", "70.00 %", "+dist+exchange",
        "Accuracy of the most trusted", "Cut-off by level-2 distance", "Nearest evidence",
        "Claim 0", "Claim 9", "R &amp; B", "It is &lt;music&gt;.", "4.000 ± 0.000"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
  // The farthest are wrong and beyond the mean, the nearest neither.
  EXPECT_NE(html.find("<span class=\"bad\">REFUTES</span>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"bad\">9.000</span>"), std::string::npos);
  EXPECT_EQ(html.find("<span class=\"bad\">0.000</span>"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);
}

TEST_F(EvaluationPageTest, PairsAreShownByTheirParts) {
  eval::PairFigures figures;
  figures.all = figures.sources["town news"] =
      figures.kinds["dates & days"] = {{{3, 1, 0}, {0, 2, 0}, {0, 0, 0}}};
  const std::string html = report(eval::to_json(figures, {}));
  for (const char* text : {"town news", "dates &amp; days", "83.33 % of 6", "66.67 % (SUPPORTS)"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
}

TEST_F(EvaluationPageTest, EvidenceMayHaveNoTitle) {
  nlohmann::ordered_json json = figures();
  for (auto& example : json["trust"]["examples"]["nearest"]) example["evidence"][0]["title"] = "";
  const std::string html = report(json);
  EXPECT_NE(html.find("<li><span>It is &lt;music&gt;.</span></li>"), std::string::npos) << html;
}

TEST_F(EvaluationPageTest, WithoutCalibrationSaysSo) {
  const std::string html = report(figures(false));
  EXPECT_NE(html.find("The model is not calibrated."), std::string::npos);
  EXPECT_EQ(html.find("+dist"), std::string::npos);
}

TEST_F(EvaluationPageTest, ShowsWhatExemplarsMakeOfIt) {
  nlohmann::ordered_json json = figures();
  nlohmann::ordered_json mode = json["trust"]["modes"][0];
  mode["name"] = "+ExA_tp";
  json["trust"]["modes"].push_back(mode);
  json["trust"]["cut_off"]["exemplar"] = {{0.5, 1, 100.0}, {1.5, 4, 75.0}};
  const std::string html = report(json);
  EXPECT_NE(html.find("+ExA_tp"), std::string::npos);
  EXPECT_NE(html.find("Cut-off by exemplar distance"), std::string::npos);
}

TEST_F(EvaluationPageTest, SomethingElseIsRefusedByName) {
  const Error error = error_of([&] { report({{"claims", 3}}); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("'accuracy'"), std::string::npos) << error.what();
  nlohmann::ordered_json json = figures();
  json["trust"]["risk_coverage"]["margin"]["curve"][0] = "x";
  EXPECT_EQ(error_of([&] { report(json); }).kind(), ErrorKind::corrupt);
  json = figures();
  json["trust"]["examples"]["nearest"][0] = 7;
  EXPECT_EQ(error_of([&] { report(json); }).kind(), ErrorKind::corrupt);
}

TEST(EvaluationPlotsTest, LongTailsAreLeftOutOfCutOffs) {
  std::string text = R"({"cut_off": {"level2": [)";
  for (int i = 1; i <= 100; ++i)
    text += (i > 1 ? ",[" : "[") + std::to_string(i < 100 ? i : 100000) + "," + std::to_string(i) +
            ",50]";
  text += R"(], "level3": []}})";
  JsonParser parser;
  const std::vector<Plot> plots = cut_off_plots(parser.parse_object(text, "test"));
  ASSERT_EQ(plots.size(), 2u);
  EXPECT_EQ(plots[0].series[0].points.size(), 95u);
  EXPECT_EQ(plots[0].series[1].points.back().y, 95);
  EXPECT_NE(plots[0].note.find("1e+05"), std::string::npos) << plots[0].note;
}

}  // namespace
}  // namespace memmatch::report
