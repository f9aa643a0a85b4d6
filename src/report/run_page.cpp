#include "report/run_page.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>

#include "base/files.h"
#include "memmatch/error.h"
#include "report/run_plots.h"

namespace memmatch::report {
namespace {

std::string decimals(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string percent(double fraction) {
  return std::isfinite(fraction) ? fmt::format("{:.2f} %", 100 * fraction) : "–";
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "–";
  const auto whole = static_cast<std::int64_t>(std::min(std::max(0.0, seconds), 1e12));
  if (whole < 100) return fmt::format("{:.1f} s", seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string name_of(const RunPlace& place) {
  std::string name = fmt::format("epoch {}", place.epoch);
  if (place.stage != 1) name += fmt::format(" of stage {}", place.stage);
  return name;
}

// The last thing that the run wrote; nullptr where it wrote nothing.
const RunPlace* last_place(const RunMetrics& run) {
  const RunPlace* step = run.steps.empty() ? nullptr : &run.steps.back().place;
  const RunPlace* epoch = run.epochs.empty() ? nullptr : &run.epochs.back().place;
  if (!step || !epoch) return step ? step : epoch;
  return step->step > epoch->step ? step : epoch;
}

std::string summary(const RunMetrics& run) {
  const RunPlace* last = last_place(run);
  if (!last) return "The run has not written any step yet.";
  std::string text = fmt::format("Step {}, {}", last->step, name_of(*last));
  if (!last->kind.empty()) text += fmt::format(" ({})", last->kind);
  if (std::isfinite(last->time) && std::abs(last->time) < 1e11)
    text += fmt::format(", {:%Y-%m-%d %H:%M:%S} UTC",
                        fmt::gmtime(static_cast<std::time_t>(last->time)));
  text += ".";
  if (run.cut_off) text += " The last line of metrics.jsonl is incomplete and was left out.";
  return text;
}

// The time that the epochs took, whatever pauses were between them.
double working_seconds(const RunMetrics& run) {
  double sum = 0;
  for (const EpochMetrics& epoch : run.epochs)
    for (const double part : {epoch.search_seconds, epoch.steps_seconds, epoch.dev_seconds})
      if (std::isfinite(part)) sum += part;
  return sum;
}

std::string tiles(const RunMetrics& run) {
  std::vector<Tile> tiles;
  const EpochMetrics* best = run.best();
  if (best && best->dev) {
    tiles.push_back({percent(best->dev->accuracy), "best dev accuracy"});
    tiles.push_back({percent(best->dev->fever_score), "its FEVER score"});
    tiles.push_back({std::to_string(best->place.epoch),
                     best->place.stage == 1
                         ? "best epoch"
                         : fmt::format("best epoch, stage {}", best->place.stage)});
  }
  if (!run.epochs.empty()) {
    tiles.push_back({std::to_string(run.epochs.size()), "epochs finished"});
    tiles.push_back({duration(working_seconds(run)), "in these epochs"});
  }
  if (!run.steps.empty()) {
    tiles.push_back({decimals(run.steps.back().loss, 4), "last loss"});
    tiles.push_back({decimals(run.steps.back().claims_per_second, 1), "claims per second"});
  }
  return tiles.empty() ? "" : to_html(tiles);
}

std::vector<std::string> epoch_row(const EpochMetrics& epoch, bool best) {
  const DevMetrics dev = epoch.dev.value_or(DevMetrics{});
  std::vector<std::string> row = {fmt::format("{}{}", epoch.place.epoch, best ? " ★" : ""),
                                  std::to_string(epoch.place.stage), epoch.place.kind,
                                  std::to_string(epoch.place.step), decimals(epoch.loss, 4)};
  for (const double loss : epoch.losses) row.push_back(decimals(loss, 4));
  for (const double share :
       {dev.accuracy, dev.fever_score, dev.level1.complete, dev.level2.complete})
    row.push_back(decimals(100 * share, 2));
  for (const double seconds : {epoch.search_seconds, epoch.steps_seconds, epoch.dev_seconds})
    row.push_back(duration(seconds));
  return row;
}

Table epochs_table(const RunMetrics& run) {
  Table table;
  table.caption =
      "★ is the best epoch so far. Losses are means over the epoch; accuracy, FEVER score and "
      "complete are of the dev set.";
  table.columns = {"epoch",
                   "stage",
                   "training",
                   "step",
                   "loss",
                   "level 1",
                   "level 2",
                   "level 3",
                   "accuracy %",
                   "FEVER score %",
                   "level 1 complete %",
                   "level 2 complete %",
                   "search",
                   "steps",
                   "dev"};
  for (const EpochMetrics& epoch : run.epochs) {
    const bool best = &epoch == run.best();
    if (best) table.marked = table.rows.size();
    table.rows.push_back(epoch_row(epoch, best));
  }
  return table;
}

// The last epoch that was evaluated; nullptr where none was.
const EpochMetrics* last_with_dev(const RunMetrics& run) {
  const EpochMetrics* last = nullptr;
  for (const EpochMetrics& epoch : run.epochs)
    if (epoch.dev) last = &epoch;
  return last;
}

Table dev_table(const RunMetrics& run) {
  std::vector<const EpochMetrics*> shown;
  const EpochMetrics* best = run.best();
  const EpochMetrics* last = last_with_dev(run);
  if (best && best->dev) shown.push_back(best);
  if (last && last != best) shown.push_back(last);
  Table table;
  table.columns = {""};
  for (const EpochMetrics* epoch : shown)
    table.columns.push_back(
        fmt::format("{} ({})", name_of(epoch->place), epoch == best ? "best" : "last"));
  const auto add = [&](std::string name, auto cell) {
    std::vector<std::string> row{std::move(name)};
    for (const EpochMetrics* epoch : shown) row.push_back(cell(*epoch->dev));
    table.rows.push_back(std::move(row));
  };
  add("claims", [](const DevMetrics& dev) { return std::to_string(dev.claims); });
  add("accuracy", [](const DevMetrics& dev) { return percent(dev.accuracy); });
  add("FEVER score", [](const DevMetrics& dev) { return percent(dev.fever_score); });
  add("level 1: top is the chosen evidence (strict)",
      [](const DevMetrics& dev) { return percent(dev.level1.strict); });
  add("level 1: a complete gold set kept",
      [](const DevMetrics& dev) { return percent(dev.level1.complete); });
  add("level 2: top is the chosen evidence (strict)",
      [](const DevMetrics& dev) { return percent(dev.level2.strict); });
  add("level 2: a complete gold set kept",
      [](const DevMetrics& dev) { return percent(dev.level2.complete); });
  for (std::size_t level = 0; level < 3; ++level)
    add(fmt::format("mean distance at level {}", level + 1),
        [=](const DevMetrics& dev) { return decimals(dev.distances[level], 3); });
  add("accuracy of the plain head",
      [](const DevMetrics& dev) { return percent(dev.head_accuracy); });
  return table;
}

Table confusion_table(const EpochMetrics& epoch) {
  Table table;
  table.caption = fmt::format("Decisions of {}, claims", name_of(epoch.place));
  table.columns = {"gold \\ verdict", "SUPPORTS", "REFUTES", "NOT ENOUGH INFO", "right"};
  for (std::size_t gold = 0; gold < 3; ++gold) {
    const auto& counts = (*epoch.dev->confusion)[gold];
    const double all = static_cast<double>(counts[0]) + static_cast<double>(counts[1]) +
                       static_cast<double>(counts[2]);
    std::vector<std::string> row{table.columns[gold + 1]};
    for (const std::int64_t count : counts) row.push_back(std::to_string(count));
    row.push_back(all > 0 ? percent(static_cast<double>(counts[gold]) / all) : "–");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Page run_page(const std::string& name, const RunMetrics& run, const std::string& configuration) {
  Page page;
  page.title = fmt::format("Training run {}", name);
  page.summary = summary(run);
  if (const std::string html = tiles(run); !html.empty()) page.sections.push_back({"So far", html});
  if (const std::vector<Plot> plots = run_plots(run); !plots.empty())
    page.sections.push_back({"Curves", to_html(plots)});
  if (!run.epochs.empty()) page.sections.push_back({"Epochs", to_html(epochs_table(run))});
  if (const EpochMetrics* last = last_with_dev(run)) {
    const EpochMetrics* decided = run.best() && run.best()->dev ? run.best() : last;
    std::string html = to_html(dev_table(run));
    if (decided->dev->confusion) html += to_html(confusion_table(*decided));
    page.sections.push_back({"Dev set", html});
  }
  page.sections.push_back({"Configuration", configuration.empty()
                                                ? "<p>The run folder has no config.toml.</p>\n"
                                                : preformatted(configuration)});
  return page;
}

std::string run_report(const std::filesystem::path& folder) {
  if (!is_folder(folder)) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: no such folder; give the run folder that 'memmatch train' made",
                            folder.string()));
  }
  const std::filesystem::path metrics = folder / "metrics.jsonl";
  if (!path_exists(metrics)) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: no metrics.jsonl; is this the folder of a training run?",
                            folder.string()));
  }
  const std::filesystem::path configuration = folder / "config.toml";
  std::error_code ignored;
  const std::string name = std::filesystem::weakly_canonical(folder, ignored).filename().string();
  return to_html(run_page(name, read_run_metrics(metrics),
                          path_exists(configuration) ? read_file(configuration) : ""));
}

}  // namespace memmatch::report
