#include "report/run_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memmatch::report {
namespace {

constexpr std::size_t kMostPoints = 150;

// One point for each step or epoch, its height given by `value`.
template <typename Metrics, typename Value>
std::vector<Point> points(const std::vector<Metrics>& all, Value value) {
  std::vector<Point> result;
  for (const Metrics& one : all)
    result.push_back({static_cast<double>(one.place.step), value(one)});
  return result;
}

template <typename Value>
std::vector<Point> step_points(const RunMetrics& run, Value value) {
  return averaged(points(run.steps, value), kMostPoints);
}

// Epochs that were evaluated.
template <typename Value>
std::vector<Point> dev_points(const RunMetrics& run, Value value) {
  std::vector<Point> result;
  for (const EpochMetrics& epoch : run.epochs)
    if (epoch.dev) result.push_back({static_cast<double>(epoch.place.step), value(*epoch.dev)});
  return result;
}

Series series(std::string name, std::vector<Point> points) {
  Series result;
  result.name = std::move(name);
  result.points = std::move(points);
  return result;
}

bool has_points(const Plot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(), [](const Series& one) {
    return std::any_of(one.points.begin(), one.points.end(),
                       [](const Point& point) { return drawable(point.y); });
  });
}

Plot plot(std::string title, std::string y_label, std::vector<Series> curves) {
  Plot result;
  result.title = std::move(title);
  result.y_label = std::move(y_label);
  result.series = std::move(curves);
  return result;
}

Plot loss_plot(const RunMetrics& run) {
  Plot result = plot("Loss of each level", "", {});
  for (std::size_t level = 0; level < 3; ++level)
    result.series.push_back(
        series(fmt::format("level {}", level + 1),
               step_points(run, [=](const StepMetrics& step) { return step.losses[level]; })));
  for (std::size_t level = 0; level < 3; ++level) {
    Series uninformed =
        series(fmt::format("level {}, nothing learned", level + 1),
               step_points(run, [=](const StepMetrics& step) { return step.uninformed[level]; }));
    uninformed.color = level;
    uninformed.dashed = true;
    uninformed.in_legend = false;
    result.series.push_back(std::move(uninformed));
  }
  result.note = "Dashed: what a level that has learned nothing would show.";
  result.y_covers = Range{0, 0};
  return result;
}

Plot head_plot(const RunMetrics& run) {
  Plot result =
      plot("Loss of the plain head", "",
           {series("head", step_points(run, [](const StepMetrics& s) { return s.head_loss; }))});
  result.series.front().in_legend = false;
  result.lines.push_back({ReferenceLine::At::y, std::log(3.0), ""});
  result.note = "Dotted: ln 3, what a head that has learned nothing would show.";
  result.y_covers = Range{0, 0};
  return result;
}

Plot accuracy_plot(const RunMetrics& run) {
  Plot result = plot(
      "Dev accuracy and FEVER score", "%",
      {series("accuracy", dev_points(run, [](const DevMetrics& d) { return 100 * d.accuracy; })),
       series("FEVER score",
              dev_points(run, [](const DevMetrics& d) { return 100 * d.fever_score; }))});
  Series head = series("plain head",
                       dev_points(run, [](const DevMetrics& d) { return 100 * d.head_accuracy; }));
  head.dashed = true;
  if (has_points(plot("", "", {head}))) result.series.push_back(std::move(head));
  return result;
}

Plot retrieval_plot(const RunMetrics& run) {
  std::vector<Series> curves = {
      series("level 1 complete",
             dev_points(run, [](const DevMetrics& d) { return 100 * d.level1.complete; })),
      series("level 2 complete",
             dev_points(run, [](const DevMetrics& d) { return 100 * d.level2.complete; })),
      series("level 1 strict",
             dev_points(run, [](const DevMetrics& d) { return 100 * d.level1.strict; })),
      series("level 2 strict",
             dev_points(run, [](const DevMetrics& d) { return 100 * d.level2.strict; }))};
  for (const std::size_t strict : {2, 3}) {
    curves[strict].color = strict - 2;
    curves[strict].dashed = true;
  }
  Plot result = plot("Dev retrieval of each level", "%", std::move(curves));
  result.note =
      "Complete: a whole gold set is kept. Strict: the nearest sentence is the chosen evidence.";
  return result;
}

Plot distance_plot(const RunMetrics& run) {
  Plot result = plot("Mean distances on dev", "", {});
  for (std::size_t level = 0; level < 3; ++level)
    result.series.push_back(
        series(fmt::format("level {}", level + 1),
               dev_points(run, [=](const DevMetrics& dev) { return dev.distances[level]; })));
  result.y_covers = Range{0, 0};
  return result;
}

Plot rate_plot(const RunMetrics& run, std::string title, double StepMetrics::*rate,
               std::size_t color) {
  Plot result =
      plot(std::move(title), "",
           {series("learning rate",
                   step_points(run, [=](const StepMetrics& step) { return step.*rate; }))});
  result.series.front().color = color;
  result.series.front().in_legend = false;
  result.y_covers = Range{0, 0};
  return result;
}

Plot seconds_plot(const RunMetrics& run) {
  const auto phase = [&](std::string name, double EpochMetrics::*seconds) {
    return series(std::move(name),
                  points(run.epochs, [=](const EpochMetrics& epoch) { return epoch.*seconds; }));
  };
  Plot result = plot(
      "Time of each epoch's phases", "seconds",
      {phase("search", &EpochMetrics::search_seconds), phase("steps", &EpochMetrics::steps_seconds),
       phase("dev", &EpochMetrics::dev_seconds)});
  result.y_covers = Range{0, 0};
  return result;
}

Plot speed_plot(const RunMetrics& run) {
  Plot result = plot("Claims per second", "",
                     {series("claims per second", step_points(run, [](const StepMetrics& step) {
                               return step.claims_per_second;
                             }))});
  result.series.front().in_legend = false;
  result.y_covers = Range{0, 0};
  return result;
}

// Where a later stage begins, and where the best epoch ended.
std::vector<ReferenceLine> marks(const RunMetrics& run) {
  std::vector<ReferenceLine> lines;
  for (std::size_t i = 1; i < run.epochs.size(); ++i) {
    const RunPlace& before = run.epochs[i - 1].place;
    if (run.epochs[i].place.stage != before.stage)
      lines.push_back({ReferenceLine::At::x, static_cast<double>(before.step),
                       fmt::format("stage {}", run.epochs[i].place.stage)});
  }
  if (const EpochMetrics* best = run.best())
    lines.push_back({ReferenceLine::At::x, static_cast<double>(best->place.step), "best"});
  return lines;
}

double last_step(const RunMetrics& run) {
  std::int64_t last = 0;
  if (!run.steps.empty()) last = std::max(last, run.steps.back().place.step);
  if (!run.epochs.empty()) last = std::max(last, run.epochs.back().place.step);
  return static_cast<double>(last);
}

}  // namespace

std::vector<Plot> run_plots(const RunMetrics& run) {
  std::vector<Plot> plots = {
      loss_plot(run),
      accuracy_plot(run),
      retrieval_plot(run),
      distance_plot(run),
      head_plot(run),
      rate_plot(run, "Learning rate of the memory layers", &StepMetrics::lr_memory, 0),
      rate_plot(run, "Learning rate of the encoder", &StepMetrics::lr_encoder, 1),
      seconds_plot(run),
      speed_plot(run)};
  std::erase_if(plots, [](const Plot& one) { return !has_points(one); });
  // All over the same steps, so that the eye can go from one to the other.
  for (Plot& one : plots) {
    one.x_label = "step";
    one.x_covers = Range{0, last_step(run)};
    for (const ReferenceLine& mark : marks(run)) one.lines.push_back(mark);
  }
  return plots;
}

}  // namespace memmatch::report
