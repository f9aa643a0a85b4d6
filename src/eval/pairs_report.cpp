#include <fmt/format.h>

#include "eval/report.h"
#include "eval/report_parts.h"

namespace memmatch::eval {
namespace {

// The labels between which was chosen.
std::span<const Label> labels_of(const PairSet& set) {
  return std::span(kLabels).first(set.two_class ? 2 : 3);
}

// What always giving one label would reach.
double always(const Confusion& confusion, Label label) {
  return percent(gold_count(confusion, label), claim_count(confusion));
}

void add_part(const Confusion& part, const PairSet& set, ReportJson& json) {
  ReportJson baselines = ReportJson::object();
  for (const Label label : labels_of(set))
    baselines[std::string(fever_name(label))] = always(part, label);
  const Label most = majority(part);
  json["claims"] = claim_count(part);
  json["accuracy"] = percent(right_count(part), claim_count(part));
  json["majority"] = {{"label", fever_name(most)}, {"accuracy", always(part, most)}};
  json["always"] = baselines;
  json["confusion"] = confusion_json(part);
}

ReportJson parts_json(const std::map<std::string, Confusion>& parts, const PairSet& set) {
  ReportJson json = ReportJson::object();
  for (const auto& [name, part] : parts) add_part(part, set, json[name] = ReportJson::object());
  return json;
}

std::string part_row(std::string_view name, const Confusion& part, const PairSet& set) {
  const std::uint64_t claims = claim_count(part);
  std::vector<std::string> cells = {std::to_string(claims),
                                    share(percent(right_count(part), claims))};
  for (const Label label : labels_of(set)) cells.push_back(share(always(part, label)));
  return table_row(name, cells);
}

}  // namespace

ReportJson to_json(const PairFigures& figures, const PairSet& set) {
  ReportJson json = ReportJson::object();
  add_part(figures.all, set, json);
  json["two_class"] = set.two_class;
  json["left_out"] = set.left_out;
  json["sentences"] = figures.sentences;
  json["cut"] = figures.cut;
  json["sources"] = parts_json(figures.sources, set);
  json["kinds"] = parts_json(figures.kinds, set);
  return json;
}

std::string to_markdown(const PairFigures& figures, const PairSet& set) {
  std::vector<std::string> columns = {"claims", "accuracy"};
  for (const Label label : labels_of(set))
    columns.push_back(fmt::format("always {}", fever_name(label)));
  std::string text = table_header("", columns) + part_row("all", figures.all, set);
  for (const auto& [name, part] : figures.sources) text += part_row(name, part, set);
  for (const auto& [name, part] : figures.kinds) text += part_row(name, part, set);
  text += "\n" + confusion_table("gold \\ verdict", figures.all);
  for (const auto& [name, part] : figures.sources) text += "\n" + confusion_table(name, part);
  text += fmt::format("\n{} sentences of evidence; of {} claims level 3 could not read all.\n",
                      figures.sentences, figures.cut);
  if (set.left_out > 0)
    text += fmt::format("{} claims whose label is NOT ENOUGH INFO were left out.\n", set.left_out);
  return text;
}

}  // namespace memmatch::eval
