#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/axis.h"

namespace memmatch::report {

struct Point {
  double x = 0;
  double y = 0;  // NaN: the curve has a gap here
};

struct Series {
  std::string name;
  std::vector<Point> points;         // from left to right
  std::optional<std::size_t> color;  // of the palette; by default the series' place among all
  bool dashed = false;               // thin and dashed, for what the others are compared with
  bool in_legend = true;
};

// A thin line across the plot, with a label where that is not empty.
struct ReferenceLine {
  enum class At { x, y };
  At at = At::y;
  double value = 0;
  std::string label;
};

struct Plot {
  std::string title;
  std::string note;  // below the plot
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  std::vector<ReferenceLine> lines;
  // What the axes reach over at the least, besides all points.
  std::optional<Range> x_covers;
  std::optional<Range> y_covers;
};

// A line plot: <figure> with title, legend, SVG and note. What the curves are at a place, the
// reader sees by pointing there. It takes its looks from the page's style sheet.
std::string to_html(const Plot& plot);

// Plots side by side where there is room.
std::string to_html(std::span<const Plot> plots);

// Neighbouring points averaged, so that there are at most `most`: for curves of many noisy points.
// A mean leaves out gaps.
std::vector<Point> averaged(std::span<const Point> points, std::size_t most);

}  // namespace memmatch::report
