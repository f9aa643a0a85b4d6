#include "report/plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/html.h"

namespace memmatch::report {
namespace {

const double kNan = std::nan("");

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

bool contains(const std::string& text, std::string_view part) { return count(text, part) > 0; }

Series series(std::string name, std::vector<Point> points) {
  Series result;
  result.name = std::move(name);
  result.points = std::move(points);
  return result;
}

Plot plot(std::vector<Series> all) {
  Plot result;
  result.title = "T";
  result.x_label = "step";
  result.series = std::move(all);
  return result;
}

// The view box has the x axis from 52 to 466 and the y axis from 232 (bottom) to 22.
TEST(Plot, CurvesGoWhereTheAxesSay) {
  const std::string html = to_html(plot({series("a", {{0, 0}, {5, 10}, {10, 5}})}));
  EXPECT_TRUE(contains(html, "d=\"M52.0 232.0L259.0 22.0L466.0 127.0\"")) << html;
  EXPECT_TRUE(contains(html, ">10</text>"));
}

TEST(Plot, AGapBreaksTheCurveAndALonePointIsADot) {
  Series dashed = series("a", {{0, 0}, {1, kNan}, {2, 10}, {3, 10}});
  dashed.dashed = true;  // shows dots only where it must
  const std::string html = to_html(plot({dashed}));
  EXPECT_EQ(count(html, "M"), 2u) << html;
  EXPECT_EQ(count(html, "<circle"), 1u);
  EXPECT_FALSE(contains(html, "nan"));
}

TEST(Plot, PointingAtAPlaceTellsAllSeriesThere) {
  const std::string html =
      to_html(plot({series("a", {{1, 0.25}, {2, 0.5}}), series("b < c", {{1, 7}})}));
  EXPECT_TRUE(contains(html, "<title>step 1\na: 0.25\nb &lt; c: 7</title>")) << html;
  EXPECT_TRUE(contains(html, "<title>step 2\na: 0.5</title>"));
}

TEST(Plot, NeighboursCloserThanAPointerShareAColumn) {
  std::vector<Point> points;
  for (int i = 0; i < 10'000; ++i) points.push_back({static_cast<double>(i), 1});
  const std::string html = to_html(plot({series("a", points)}));
  EXPECT_GT(count(html, "class=\"column\""), 50u);
  EXPECT_LE(count(html, "class=\"column\""), 106u);
}

TEST(Plot, LegendLeavesOutWhatDoesNotBelongThere) {
  Plot two = plot({series("shown", {{0, 1}}), series("hidden", {{0, 1}})});
  two.series[1].in_legend = false;
  two.series[1].color = 0;
  const std::string html = to_html(two);
  const std::string legend = html.substr(0, html.find("<svg"));
  EXPECT_TRUE(contains(legend, "shown"));
  EXPECT_FALSE(contains(legend, "hidden"));
  EXPECT_EQ(count(html, "<g class=\"c0\">"), 2u);
}

TEST(Plot, ReferenceLinesAreWithinTheAxes) {
  Plot one = plot({series("a", {{0, 1}, {1, 2}})});
  one.lines = {{ReferenceLine::At::y, 90, "ceiling"}, {ReferenceLine::At::x, 4, "best"}};
  const std::string html = to_html(one);
  EXPECT_TRUE(contains(html, ">ceiling</text>"));
  EXPECT_TRUE(contains(html, ">100</text>")) << html;
  EXPECT_TRUE(contains(html, "x1=\"466.0\" y1=\"22.0\" x2=\"466.0\" y2=\"232.0\"")) << html;
}

TEST(Plot, LabelsOfNeighbouringLinesDoNotLieOnEachOther) {
  Plot one = plot({series("a", {{0, 1}, {10, 2}})});
  for (const char* label : {"first", "second", "third"})
    one.lines.push_back({ReferenceLine::At::x, 5, label});
  const std::string html = to_html(one);
  EXPECT_TRUE(contains(html, "<text x=\"261.0\" y=\"16.0\" text-anchor=\"start\">first<")) << html;
  EXPECT_TRUE(contains(html, "<text x=\"257.0\" y=\"16.0\" text-anchor=\"end\">second<"));
  EXPECT_TRUE(contains(html, "<text x=\"261.0\" y=\"30.0\" text-anchor=\"start\">third<"));
}

TEST(Plot, NothingToDrawIsAnEmptyPlot) {
  const std::string html = to_html(plot({series("a", {}), series("b", {{kNan, 1}, {0, kNan}})}));
  EXPECT_FALSE(contains(html, "<path"));
  EXPECT_FALSE(contains(html, "nan"));
  EXPECT_TRUE(contains(html, "</svg>"));
}

TEST(Averaged, MeansOfNeighboursLeaveOutGaps) {
  const std::vector<Point> points = {{1, 2}, {2, 4}, {3, kNan}, {4, 8}, {5, kNan}};
  const std::vector<Point> means = averaged(points, 3);
  ASSERT_EQ(means.size(), 3u);
  EXPECT_EQ(means[0].x, 1.5);
  EXPECT_EQ(means[0].y, 3);
  EXPECT_EQ(means[1].y, 8);
  EXPECT_TRUE(std::isnan(means[2].y));
  EXPECT_EQ(averaged(points, 5).size(), 5u);
  EXPECT_TRUE(averaged({}, 5).empty());
}

TEST(Html, TextIsEscapedEverywhere) {
  EXPECT_EQ(escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  Plot one = plot({series("<s>", {{0, 1}})});
  one.title = one.note = one.y_label = "<i>";
  Table table;
  table.caption = "<i>";
  table.columns = {"<i>"};
  table.rows = {{"<i>", "<i>"}};
  const Page page{"<i>", "<i>", {{"<i>", to_html(one) + to_html(table) + preformatted("<i>")}}};
  const std::string html = to_html(page);
  EXPECT_FALSE(contains(html, "<i>"));
  EXPECT_FALSE(contains(html, "<s>"));
  EXPECT_GE(count(html, "&lt;i&gt;"), 10u);
}

TEST(Html, ThePageNeedsNothingElse) {
  const std::string html = to_html(Page{"T", "S", {}});
  for (const std::string_view outside : {"http", "src=", "<link", "<script", "url(", "@import"})
    EXPECT_FALSE(contains(html, outside)) << outside;
  EXPECT_TRUE(contains(html, "prefers-color-scheme: dark"));
}

TEST(Html, TheMarkedRowStandsOut) {
  Table table;
  table.columns = {"epoch", "loss"};
  table.rows = {{"1", "0.5"}, {"2", "0.4"}};
  table.marked = 1;
  EXPECT_TRUE(
      contains(to_html(table), "<tr class=\"marked\"><th scope=\"row\">2</th><td>0.4</td></tr>"));
}

}  // namespace
}  // namespace memmatch::report
