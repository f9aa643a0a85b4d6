#include "report/evaluation_plots.h"

#include <fmt/format.h>

#include <algorithm>

namespace memmatch::report {
namespace {

constexpr Range kPercent{0, 100};

// Distances have long tails: what lies beyond most verdicts would leave no room for the others.
constexpr double kShown = 0.95;

std::vector<double> row_of(JsonElement value, const JsonObject& parent, std::size_t size) {
  std::vector<double> row;
  for (const JsonElement number : as_array(value, parent.where(), "a point"))
    row.push_back(as_number(number, parent.where(), "a point's number"));
  if (row.size() != size) parent.fail(fmt::format("a point must have {} numbers", size));
  return row;
}

struct CutOff {
  double distance = 0;
  double count = 0;
  double accuracy = 0;
};

// Accuracy and share of the verdicts within a distance.
Plot cut_off_plot(std::string title, std::string x_label, const std::vector<CutOff>& curve) {
  Plot plot;
  plot.title = std::move(title);
  plot.x_label = std::move(x_label);
  plot.y_label = "%";
  plot.y_covers = kPercent;
  plot.series = {{.name = "accuracy of those within", .points = {}, .color = {}},
                 {.name = "share of verdicts within", .points = {}, .color = {}, .dashed = true}};
  const double all = curve.empty() ? 0 : curve.back().count;
  for (const CutOff& point : curve) {
    if (point.count > kShown * all && plot.series[0].points.size() > 1) break;
    plot.series[0].points.push_back({point.distance, point.accuracy});
    plot.series[1].points.push_back({point.distance, 100 * point.count / all});
  }
  if (plot.series[0].points.size() < curve.size()) {
    plot.note = fmt::format("The farthest {:.0f} % are left out; the farthest of all is at {:.3g}.",
                            100 * (1 - kShown), curve.back().distance);
  }
  return plot;
}

std::vector<CutOff> curve_of(const JsonObject& curves, const char* level) {
  std::vector<CutOff> curve;
  for (const JsonElement value : curves.array(level)) {
    const std::vector<double> row = row_of(value, curves, 3);
    curve.push_back({row[0], row[1], row[2]});
  }
  return curve;
}

// The paper's Figure 2.
Plot exemplar_plot(const JsonObject& curves) {
  Plot plot = cut_off_plot("Cut-off by exemplar distance", "distance of the nearest exemplar",
                           curve_of(curves, "exemplar"));
  plot.note += (plot.note.empty() ? "" : " ") +
               std::string("Verdicts whose nearest exemplar is a true positive (ExA_tp).");
  return plot;
}

Plot risk_coverage_plot(const JsonObject& curves) {
  Plot plot;
  plot.title = "Accuracy of the most trusted";
  plot.note =
      "The share of verdicts that are kept, most trusted first; to the left only the surest.";
  plot.x_label = "coverage %";
  plot.y_label = "accuracy %";
  plot.x_covers = kPercent;
  static constexpr std::pair<const char*, const char*> kCurves[] = {
      {"confidence", "calibrated confidence"},
      {"margin", "label margin alone"},
      {"level3", "level-3 distance alone"}};
  for (const auto& [field, name] : kCurves) {
    if (!curves.has(field)) continue;
    Series series{.name = name, .points = {}, .color = {}};
    for (const JsonElement value : curves.object(field).array("curve")) {
      const std::vector<double> row = row_of(value, curves, 2);
      series.points.push_back({row[0], row[1]});
    }
    if (!series.points.empty() && plot.lines.empty())
      plot.lines.push_back({ReferenceLine::At::y, series.points.back().y, "all verdicts"});
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Plot reliability_plot(const JsonObject& reliability) {
  Plot plot;
  plot.title = "Confidence and truth";
  plot.x_label = "confidence %";
  plot.y_label = "accuracy %";
  plot.x_covers = plot.y_covers = kPercent;
  Series measured{.name = "verdicts in ten bins", .points = {}, .color = {}};
  for (const JsonElement value : reliability.array("bins")) {
    const JsonObject bin = as_object(value, reliability.where(), "bins[]");
    measured.points.push_back({bin.number("confidence"), bin.number("accuracy")});
  }
  plot.series = {
      std::move(measured),
      {.name = "perfectly calibrated", .points = {{0, 0}, {100, 100}}, .color = 7, .dashed = true}};
  plot.note = fmt::format("Brier score {:.4f}.", reliability.number("brier"));
  return plot;
}

}  // namespace

std::vector<Plot> risk_coverage_plots(const JsonObject& trust) {
  std::vector<Plot> plots = {risk_coverage_plot(trust.object("risk_coverage"))};
  if (trust.has("reliability")) plots.push_back(reliability_plot(trust.object("reliability")));
  return plots;
}

std::vector<Plot> cut_off_plots(const JsonObject& trust) {
  const JsonObject curves = trust.object("cut_off");
  std::vector<Plot> plots;
  for (const int level : {2, 3}) {
    const std::string field = fmt::format("level{}", level);
    Plot plot =
        cut_off_plot(fmt::format("Cut-off by level-{} distance", level),
                     fmt::format("level-{} distance", level), curve_of(curves, field.c_str()));
    if (trust.has("calibration")) {
      const double mean = trust.object("calibration").object(field).number("mean");
      plot.lines.push_back({ReferenceLine::At::x, mean, "mean of right ones"});
    }
    plots.push_back(std::move(plot));
  }
  if (curves.has("exemplar")) plots.push_back(exemplar_plot(curves));
  return plots;
}

}  // namespace memmatch::report
