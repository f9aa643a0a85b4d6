#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/html.h"
#include "report/style.h"

namespace memmatch::report {
namespace {

// In units of the SVG's view box. Narrow, so that labels can be read when a phone shrinks it.
constexpr double kWidth = 480;
constexpr double kHeight = 270;
constexpr double kLeft = 52;
constexpr double kRight = kWidth - 14;
constexpr double kTop = 22;
constexpr double kBottom = kHeight - 38;
constexpr double kColumnWidth = 4;     // what lies closer together is read off together
constexpr std::size_t kDotsUpTo = 40;  // curves of few points show them

bool drawable(const Point& point) { return report::drawable(point.x) && report::drawable(point.y); }

// Maps numbers to places in the view box.
struct Frame {
  Axis x;
  Axis y;

  double at_x(double value) const {
    return kLeft + (value - x.range.low) / (x.range.high - x.range.low) * (kRight - kLeft);
  }
  double at_y(double value) const {
    return kBottom - (value - y.range.low) / (y.range.high - y.range.low) * (kBottom - kTop);
  }
};

class Extent {
 public:
  void add(double value) {
    if (!report::drawable(value)) return;
    range_.low = std::min(range_.low, value);
    range_.high = std::max(range_.high, value);
  }
  void add(const std::optional<Range>& range) {
    if (!range) return;
    add(range->low);
    add(range->high);
  }
  Range range() const { return range_.low <= range_.high ? range_ : Range{0, 1}; }

 private:
  Range range_{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
};

Frame frame_of(const Plot& plot) {
  Extent x;
  Extent y;
  for (const Series& series : plot.series) {
    for (const Point& point : series.points) {
      if (!drawable(point)) continue;
      x.add(point.x);
      y.add(point.y);
    }
  }
  for (const ReferenceLine& line : plot.lines)
    (line.at == ReferenceLine::At::x ? x : y).add(line.value);
  x.add(plot.x_covers);
  y.add(plot.y_covers);
  return {tight_axis(x.range(), 6), wide_axis(y.range(), 5)};
}

std::size_t color_of(const Plot& plot, std::size_t series) {
  return plot.series[series].color.value_or(series) % kColors;
}

std::string line(std::string_view kind, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1,
      y1, x2, y2);
}

std::string text(double x, double y, std::string_view anchor, std::string_view content) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escape(content));
}

std::string axes(const Plot& plot, const Frame& frame) {
  std::string svg;
  for (const double tick : frame.y.ticks) {
    const double y = frame.at_y(tick);
    svg += line("grid", kLeft, y, kRight, y);
    svg += text(kLeft - 6, y + 4, "end", tick_label(tick, frame.y.step));
  }
  for (const double tick : frame.x.ticks) {
    const double x = frame.at_x(tick);
    svg += line("axis", x, kBottom, x, kBottom + 4);
    svg += text(x, kBottom + 17, "middle", tick_label(tick, frame.x.step));
  }
  svg += line("axis", kLeft, kBottom, kRight, kBottom);
  if (!plot.x_label.empty()) svg += text((kLeft + kRight) / 2, kHeight - 5, "middle", plot.x_label);
  if (!plot.y_label.empty()) svg += text(2, 12, "start", plot.y_label);
  return svg;
}

std::string horizontal_line(const ReferenceLine& reference, const Frame& frame) {
  const double y = frame.at_y(reference.value);
  const std::string svg = line("reference", kLeft, y, kRight, y);
  return reference.label.empty() ? svg : svg + text(kRight, y - 4, "end", reference.label);
}

// Finds room for the labels of vertical lines: above the plot to the right or the left of the line,
// or else a row further down.
class LabelRows {
 public:
  std::string place(double x, const std::string& label) {
    if (label.empty()) return "";
    const double width = kLetter * static_cast<double>(label.size());
    for (double y = kTop - 6;; y += 14) {
      if (x + width <= kWidth && take({x, x + width}, y)) return text(x + 2, y, "start", label);
      if (x - width >= kLeft && take({x - width, x}, y)) return text(x - 2, y, "end", label);
      if (y > kBottom) return "";  // so many lines that labels are no help
    }
  }

 private:
  static constexpr double kLetter = 7;  // about the width of a letter

  bool take(Range wanted, double y) {
    for (const auto& [taken, row] : taken_)
      if (row == y && wanted.low < taken.high && taken.low < wanted.high) return false;
    taken_.emplace_back(wanted, y);
    return true;
  }

  std::vector<std::pair<Range, double>> taken_;
};

std::string reference_lines(const Plot& plot, const Frame& frame) {
  std::string svg;
  LabelRows labels;
  for (const ReferenceLine& reference : plot.lines) {
    if (!report::drawable(reference.value)) continue;
    if (reference.at == ReferenceLine::At::y) {
      svg += horizontal_line(reference, frame);
    } else {
      const double x = frame.at_x(reference.value);
      svg += line("reference", x, kTop, x, kBottom) + labels.place(x, reference.label);
    }
  }
  return svg;
}

// Lines between neighbours, and dots where a line would not show: alone between gaps.
std::string curve(const Series& series, std::size_t color, const Frame& frame) {
  const bool all_dots = !series.dashed && series.points.size() <= kDotsUpTo;
  std::string path;
  std::string dots;
  const auto is_there = [&](std::size_t i) {
    return i < series.points.size() && drawable(series.points[i]);
  };
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    if (!is_there(i)) continue;
    const double x = frame.at_x(series.points[i].x);
    const double y = frame.at_y(series.points[i].y);
    const bool starts = i == 0 || !is_there(i - 1);
    path += fmt::format("{}{:.1f} {:.1f}", starts ? 'M' : 'L', x, y);
    if (all_dots || (starts && !is_there(i + 1)))
      dots += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", x, y);
  }
  if (path.empty()) return "";
  return fmt::format("<g class=\"c{}\"><path class=\"curve{}\" d=\"{}\"/>{}</g>\n", color,
                     series.dashed ? " dashed" : "", path, dots);
}

struct Reading {
  std::size_t series;
  Point point;
};

// Readings so close together that a pointer could not choose between them.
using Column = std::vector<Reading>;

std::vector<Column> columns_of(const Plot& plot, const Frame& frame) {
  std::vector<Reading> readings;
  for (std::size_t s = 0; s < plot.series.size(); ++s)
    for (const Point& point : plot.series[s].points)
      if (drawable(point)) readings.push_back({s, point});
  std::stable_sort(readings.begin(), readings.end(),
                   [](const Reading& a, const Reading& b) { return a.point.x < b.point.x; });
  std::vector<Column> columns;
  for (const Reading& reading : readings) {
    const bool fits =
        !columns.empty() &&
        frame.at_x(reading.point.x) < frame.at_x(columns.back().front().point.x) + kColumnWidth;
    if (!fits) columns.emplace_back();
    columns.back().push_back(reading);
  }
  return columns;
}

// One line for each series that has a point in the column: its first.
std::string tooltip(const Plot& plot, const Column& column) {
  std::string tip = fmt::format("{} {:.6g}", plot.x_label, column.front().point.x);
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const auto reading = std::find_if(column.begin(), column.end(),
                                      [&](const Reading& one) { return one.series == s; });
    if (reading != column.end())
      tip += fmt::format("\n{}: {:.4g}", plot.series[s].name, reading->point.y);
  }
  return tip;
}

std::string columns(const Plot& plot, const Frame& frame) {
  std::string svg;
  const std::vector<Column> all = columns_of(plot, frame);
  const auto middle = [&](std::size_t i) { return frame.at_x(all[i].front().point.x); };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double from = i == 0 ? kLeft : (middle(i - 1) + middle(i)) / 2;
    const double to = i + 1 == all.size() ? kRight : (middle(i) + middle(i + 1)) / 2;
    svg += fmt::format(
        "<g class=\"column\"><title>{}</title><rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" "
        "height=\"{}\"/><line x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\"/></g>\n",
        escape(tooltip(plot, all[i])), from, kTop, to - from, kBottom - kTop, middle(i), kTop,
        middle(i), kBottom);
  }
  return svg;
}

std::string legend(const Plot& plot) {
  std::string html = "<div class=\"legend\">";
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    if (!plot.series[s].in_legend || plot.series[s].name.empty()) continue;
    html += fmt::format("<span><i class=\"c{}{}\"></i>{}</span>", color_of(plot, s),
                        plot.series[s].dashed ? " dashed" : "", escape(plot.series[s].name));
  }
  return html + "</div>";
}

}  // namespace

std::string to_html(const Plot& plot) {
  const Frame frame = frame_of(plot);
  std::string html = fmt::format(
      "<figure>\n<figcaption><b>{0}</b>{1}</figcaption>\n"
      "<svg viewBox=\"0 0 {2} {3}\" role=\"img\" aria-label=\"{0}\">\n",
      escape(plot.title), legend(plot), kWidth, kHeight);
  html += axes(plot, frame);
  html += reference_lines(plot, frame);
  for (std::size_t s = 0; s < plot.series.size(); ++s)
    html += curve(plot.series[s], color_of(plot, s), frame);
  html += columns(plot, frame) + "</svg>\n";
  if (!plot.note.empty()) html += fmt::format("<p class=\"note\">{}</p>\n", escape(plot.note));
  return html + "</figure>\n";
}

std::string to_html(std::span<const Plot> plots) {
  std::string html = "<div class=\"plots\">\n";
  for (const Plot& plot : plots) html += to_html(plot);
  return html + "</div>\n";
}

std::vector<Point> averaged(std::span<const Point> points, std::size_t most) {
  const std::size_t group = most == 0 ? points.size() : (points.size() + most - 1) / most;
  std::vector<Point> means;
  for (std::size_t first = 0; first < points.size(); first += group) {
    const std::span<const Point> part =
        points.subspan(first, std::min(group, points.size() - first));
    Point sum;
    double there = 0;
    for (const Point& point : part) {
      sum.x += point.x;
      if (!std::isfinite(point.y)) continue;
      sum.y += point.y;
      ++there;
    }
    means.push_back({sum.x / static_cast<double>(part.size()),
                     there > 0 ? sum.y / there : std::numeric_limits<double>::quiet_NaN()});
  }
  return means;
}

}  // namespace memmatch::report
