#include <fmt/format.h>

#include "eval/report_parts.h"
#include "eval/trust.h"

namespace memmatch::eval {
namespace {

constexpr int kCoverages[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
constexpr std::size_t kBins = 10;
constexpr std::size_t kCurvePoints = 200;

ReportJson to_json(const Share& share) {
  return {{"claims", share.claims},
          {"right", share.right},
          {"accuracy", percent(share.right, share.claims)}};
}

ReportJson mode_json(const Mode& mode, std::uint64_t claims) {
  return {{"name", mode.name},
          {"claims", mode.all.claims},
          {"coverage", percent(mode.all.claims, claims)},
          {"right", mode.all.right},
          {"accuracy", percent(mode.all.right, mode.all.claims)},
          {"unchanged", to_json(mode.unchanged)},
          {"changed", to_json(mode.changed)}};
}

ReportJson to_json(const audit::DistanceStatistics& level) {
  return {{"count", level.count},
          {"mean", level.mean},
          {"std", level.deviation},
          {"median", level.quantile(0.5)},
          {"quantile_90", level.quantile(0.9)}};
}

ReportJson calibration_json(const audit::Calibration& calibration) {
  ReportJson json = {{"k1", calibration.k1},
                     {"z", calibration.z},
                     {"train", calibration.train.file},
                     {"level2", to_json(calibration.level2)},
                     {"level3", to_json(calibration.level3)}};
  for (const audit::ClaimSource& source : calibration.fitted_on)
    json["fitted_on"].push_back(source.file);
  return json;
}

ReportJson examples_json(const std::vector<Example>& examples) {
  ReportJson list = ReportJson::array();
  for (const Example& example : examples) {
    ReportJson evidence = ReportJson::array();
    for (const Evidence& sentence : example.verdict.evidence) {
      if (sentence.pieces_seen == 0 && !evidence.empty()) continue;
      evidence.push_back({{"title", sentence.title},
                          {"number", sentence.number},
                          {"text", sentence.text},
                          {"edited", sentence.edited}});
    }
    ReportJson entry = {{"claim", example.claim},
                        {"gold", fever_name(example.gold)},
                        {"label", fever_name(example.verdict.label)},
                        {"level2_distance", *example.verdict.level2_distance()},
                        {"level3_distance", *example.verdict.level3_distance()}};
    if (example.confidence) entry["confidence"] = *example.confidence;
    entry["evidence"] = evidence;
    list.push_back(entry);
  }
  return list;
}

ReportJson curve_json(const std::vector<audit::CutOffPoint>& curve) {
  ReportJson points = ReportJson::array();
  for (const audit::CutOffPoint& point : curve)
    points.push_back({point.distance, point.count, 100 * point.accuracy});
  return points;
}

std::string cell(const Share& share) {
  return share.claims == 0
             ? "–"
             : fmt::format("{:.2f} % of {}", percent(share.right, share.claims), share.claims);
}

}  // namespace

ReportJson Trust::risk_coverage_json() const {
  ReportJson json = ReportJson::object();
  for (const char* name : curve_names()) {
    const audit::RiskCoverage curve = curve_of(name);
    ReportJson at = ReportJson::object();
    for (const int coverage : kCoverages)
      at[std::to_string(coverage)] = 100 * curve.accuracy_at(coverage / 100.0);
    ReportJson points = ReportJson::array();
    for (const auto& point : curve.points())
      points.push_back({100 * point.coverage, 100 * point.accuracy});
    json[name] = {{"area", 100 * curve.area()}, {"accuracy_at", at}, {"curve", points}};
    json["least_area"] = 100 * curve.least_area();
  }
  return json;
}

// How often verdicts of a confidence are right: ten bins of equal width.
ReportJson Trust::reliability_json() const {
  struct Bin {
    double confidences = 0;
    Share share;
  };
  std::array<Bin, kBins> bins{};
  double brier = 0;
  std::uint64_t claims = 0;
  for (const Judged& judged : judged_) {
    if (!judged.confidence) continue;
    Bin& bin = bins[std::min(kBins - 1, static_cast<std::size_t>(*judged.confidence * kBins))];
    bin.confidences += *judged.confidence;
    ++bin.share.claims;
    bin.share.right += judged.right;
    const double error = *judged.confidence - (judged.right ? 1 : 0);
    brier += error * error;
    ++claims;
  }
  ReportJson list = ReportJson::array();
  for (const Bin& bin : bins) {
    if (bin.share.claims == 0) continue;
    list.push_back({{"claims", bin.share.claims},
                    {"confidence", percent(bin.confidences, bin.share.claims)},
                    {"accuracy", percent(bin.share.right, bin.share.claims)}});
  }
  return {{"brier", claims == 0 ? 0 : brier / static_cast<double>(claims)}, {"bins", list}};
}

ReportJson Trust::cut_off_json() const {
  std::vector<audit::AtDistance> level2;
  std::vector<audit::AtDistance> level3;
  for (const Judged& judged : judged_) {
    if (!judged.distances) continue;
    level2.push_back({judged.distances->level2, judged.right});
    level3.push_back({judged.distances->level3, judged.right});
  }
  ReportJson json = {{"level2", curve_json(audit::cut_off_curve(std::move(level2)))},
                     {"level3", curve_json(audit::cut_off_curve(std::move(level3)))}};
  if (options_.exemplars) json["exemplar"] = curve_json(exemplar_curve(kCurvePoints));
  return json;
}

ReportJson Trust::to_json() const {
  ReportJson json = ReportJson::object();
  if (options_.calibration) {
    json["calibration"] = calibration_json(*options_.calibration);
    json["calibration"]["fitted_on_these"] = fitted_on_these();
  }
  ReportJson modes = ReportJson::array();
  for (const Mode& mode : modes_) modes.push_back(mode_json(mode, judged_.size()));
  json["modes"] = modes;
  json["risk_coverage"] = risk_coverage_json();
  if (options_.calibration && options_.calibration->confidence)
    json["reliability"] = reliability_json();
  json["cut_off"] = cut_off_json();
  json["examples"] = {{"nearest", examples_json(nearest_)}, {"farthest", examples_json(farthest_)}};
  return json;
}

std::string Trust::modes_markdown() const {
  const bool any_changed = modes_[0].changed.claims > 0;
  std::string text = any_changed
                         ? "| admitted | claims | accuracy | evidence unchanged | changed |\n"
                           "|---|---:|---:|---:|---:|\n"
                         : "| admitted | claims | accuracy |\n|---|---:|---:|\n";
  for (const Mode& mode : modes_) {
    std::vector<std::string> cells = {
        fmt::format("{} ({:.1f} %)", mode.all.claims,
                    percent(mode.all.claims, static_cast<std::uint64_t>(judged_.size()))),
        mode.all.claims == 0 ? "–"
                             : fmt::format("{:.2f} %", percent(mode.all.right, mode.all.claims))};
    if (any_changed) {
      cells.push_back(cell(mode.unchanged));
      cells.push_back(cell(mode.changed));
    }
    text += table_row(mode.name, cells);
  }
  return text + "\n";
}

std::string Trust::to_markdown() const {
  std::string text;
  if (modes_.size() > 1) text += modes_markdown();
  text +=
      "| trusted by | area under risk-coverage | accuracy at 20 % | 50 % | 80 % | 90 % coverage "
      "|\n|---|---:|---:|---:|---:|---:|\n";
  double least = 0;
  for (const char* name : curve_names()) {
    const audit::RiskCoverage curve = curve_of(name);
    std::vector<std::string> cells = {fmt::format("{:.2f} %", 100 * curve.area())};
    for (const double coverage : {0.2, 0.5, 0.8, 0.9})
      cells.push_back(fmt::format("{:.2f} %", 100 * curve.accuracy_at(coverage)));
    const std::string_view shown = name;
    text += table_row(shown == "confidence" ? "calibrated confidence"
                      : shown == "margin"   ? "label margin alone"
                                            : "level-3 distance alone",
                      cells);
    least = curve.least_area();
  }
  text += fmt::format(
      "\nRisk is the share of wrong labels; the least area that any order could have is {:.2f} "
      "%.\n",
      100 * least);
  if (fitted_on_these())
    text += "The confidence was fitted on these same claims: its row is flattering.\n";
  return text;
}

std::string to_tsv(std::span<const audit::CutOffPoint> curve) {
  std::string text = "distance\tclaims\taccuracy\n";
  for (const audit::CutOffPoint& point : curve)
    text += fmt::format("{}\t{}\t{:.4f}\n", point.distance, point.count, 100 * point.accuracy);
  return text;
}

}  // namespace memmatch::eval
