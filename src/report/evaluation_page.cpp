#include "report/evaluation_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "memmatch/error.h"
#include "report/evaluation_plots.h"
#include "report/example_cards.h"

namespace memmatch::report {
namespace {

std::string share(double percent) { return fmt::format("{:.2f} %", percent); }

std::string whole(const JsonObject& fields, const char* field) {
  return fmt::format("{:.0f}", fields.number(field));
}

// "81.59 % of 239".
std::string share_of(const JsonObject& fields) {
  if (fields.number("claims") == 0) return "–";
  return fmt::format("{} of {}", share(fields.number("accuracy")), whole(fields, "claims"));
}

std::string tiles(const JsonObject& figures) {
  std::vector<Tile> tiles = {{share(figures.number("accuracy")), "accuracy"}};
  if (figures.has("fever_score"))
    tiles.push_back({share(figures.number("fever_score")), "FEVER score"});
  if (figures.has("level2"))
    tiles.push_back({share(figures.object("level2").number("complete")), "complete evidence"});
  tiles.push_back({whole(figures, "claims"), "claims"});
  if (!figures.has("trust")) return to_html(tiles);
  const JsonObject curves = figures.object("trust").object("risk_coverage");
  const bool fitted = curves.has("confidence");
  const JsonObject curve = curves.object(fitted ? "confidence" : "margin");
  tiles.push_back(
      {share(curve.object("accuracy_at").number("50")),
       fmt::format("accuracy of the surer half, by {}", fitted ? "confidence" : "margin")});
  tiles.push_back({share(curve.number("area")), "area under risk-coverage"});
  return to_html(tiles);
}

Table confusion_table(const JsonObject& figures) {
  static constexpr const char* kLabels[] = {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"};
  Table table;
  table.caption = "Gold labels (rows) and verdicts (columns), claims";
  table.columns = {"gold \\ verdict", "SUPPORTS", "REFUTES", "NOT ENOUGH INFO", "right"};
  const JsonObject confusion = figures.object("confusion");
  for (const char* gold : kLabels) {
    const JsonObject counts = confusion.object(gold);
    std::vector<std::string> row = {gold};
    double all = 0;
    for (const char* label : kLabels) {
      all += counts.number(label);
      row.push_back(whole(counts, label));
    }
    if (all == 0) continue;
    row.push_back(share(100 * counts.number(gold) / all));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Of a symmetric set: by what was changed.
Table changes_table(const JsonObject& figures) {
  Table table;
  table.columns = {"", "accuracy"};
  table.rows = {{"evidence unchanged", share_of(figures.object("unchanged"))},
                {"evidence changed", share_of(figures.object("changed"))}};
  if (!figures.has("kinds")) return table;
  for (const auto& [name, value] : figures.object("kinds")) {
    std::string readable(name);
    std::replace(readable.begin(), readable.end(), '_', ' ');
    table.rows.push_back({readable, share_of(as_object(value, figures.where(), "kinds"))});
  }
  return table;
}

// Of pairs: by where they are from, or by what they test.
void add_parts(const JsonObject& figures, const char* field, Table& table) {
  for (const auto& [name, value] : figures.object(field)) {
    const JsonObject part = as_object(value, figures.where(), field);
    const JsonObject most = part.object("majority");
    table.rows.push_back(
        {std::string(name), share_of(part),
         fmt::format("{} ({})", share(most.number("accuracy")), most.string("label"))});
  }
}

Table parts_table(const JsonObject& figures) {
  Table table;
  table.columns = {"", "accuracy", "always the most frequent label"};
  add_parts(figures, "sources", table);
  add_parts(figures, "kinds", table);
  return table;
}

Table retrieval_table(const JsonObject& figures) {
  static constexpr std::pair<const char*, const char*> kLevels[] = {
      {"overlap", "word overlap"}, {"level1", "level 1"}, {"level2", "level 2"}};
  static constexpr std::pair<const char*, const char*> kShares[] = {
      {"strict", "top is the chosen evidence (strict)"},
      {"top_document", "top document right"},
      {"any_chosen", "a chosen sentence kept"},
      {"complete", "a complete gold set kept"}};
  Table table;
  table.caption =
      fmt::format("Over {} claims with gold evidence; k1 = {}, z = {}", whole(figures, "with_gold"),
                  whole(figures, "k1"), whole(figures, "z"));
  table.columns = {""};
  for (const auto& [field, name] : kLevels) {
    if (figures.has(field)) table.columns.emplace_back(name);
  }
  for (const auto& [field, name] : kShares) {
    std::vector<std::string> row = {name};
    for (const auto& [level, unused] : kLevels) {
      if (figures.has(level)) row.push_back(share(figures.object(level).number(field)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string decisions(const JsonObject& figures) {
  std::string html = to_html(confusion_table(figures));
  if (figures.has("unchanged")) html += to_html(changes_table(figures));
  if (figures.has("sources")) html += to_html(parts_table(figures));
  return html;
}

// Ways of using the verdicts.
Table modes_table(const JsonObject& trust) {
  Table table;
  table.caption = "Accuracy over the verdicts that a rule admits";
  table.columns = {"rule", "claims", "coverage", "accuracy", "evidence unchanged", "changed"};
  for (const JsonElement value : trust.array("modes")) {
    const JsonObject mode = as_object(value, trust.where(), "modes");
    table.rows.push_back({std::string(mode.string("name")), whole(mode, "claims"),
                          share(mode.number("coverage")),
                          mode.number("claims") == 0 ? "–" : share(mode.number("accuracy")),
                          share_of(mode.object("unchanged")), share_of(mode.object("changed"))});
  }
  return table;
}

Table coverage_table(const JsonObject& curves) {
  static constexpr std::pair<const char*, const char*> kCurves[] = {
      {"confidence", "calibrated confidence"},
      {"margin", "label margin alone"},
      {"level3", "level-3 distance alone"}};
  Table table;
  table.caption = fmt::format(
      "Area under the risk-coverage curve (less is better; the least that any order could have is "
      "{}), and accuracy at coverage",
      share(curves.number("least_area")));
  table.columns = {"trusted by", "area", "at 20 %", "at 50 %", "at 80 %", "at 90 %", "at 100 %"};
  for (const auto& [field, name] : kCurves) {
    if (!curves.has(field)) continue;
    const JsonObject curve = curves.object(field);
    std::vector<std::string> row = {name, share(curve.number("area"))};
    for (const char* coverage : {"20", "50", "80", "90", "100"})
      row.push_back(share(curve.object("accuracy_at").number(coverage)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string calibration_note(const JsonObject& trust) {
  if (!trust.has("calibration")) return "<p>The model is not calibrated.</p>\n";
  const JsonObject calibration = trust.object("calibration");
  const auto level = [&](const char* name) {
    const JsonObject distances = calibration.object(name);
    return fmt::format("{:.3f} ± {:.3f}", distances.number("mean"), distances.number("std"));
  };
  std::string text = fmt::format(
      "Mean distance of right retrievals (level 2) {}, of right decisions (level 3) {}, over {}.",
      level("level2"), level("level3"), calibration.string("train"));
  if (calibration.optional_bool("fitted_on_these").value_or(false))
    text += " The confidence was fitted on the very claims of this page: its figures flatter it.";
  return fmt::format("<p>{}</p>\n", escape(text));
}

void add_trust(const JsonObject& figures, Page& page) {
  const JsonObject trust = figures.object("trust");
  std::string html = calibration_note(trust);
  html += to_html(modes_table(trust));
  html += to_html(coverage_table(trust.object("risk_coverage")));
  html += to_html(risk_coverage_plots(trust));
  page.sections.push_back({"Which verdicts to trust", html});
  page.sections.push_back({"Cut-offs", to_html(cut_off_plots(trust))});
  if (!trust.has("examples")) return;
  const JsonObject examples = trust.object("examples");
  page.sections.push_back({"Nearest evidence", example_cards(examples, "nearest", trust)});
  page.sections.push_back({"Farthest evidence", example_cards(examples, "farthest", trust)});
}

}  // namespace

Page evaluation_page(const std::string& name, const JsonObject& figures) {
  Page page;
  page.title = fmt::format("Evaluation {}", name);
  page.summary = fmt::format("{} claims", whole(figures, "claims"));
  page.sections.push_back({"At a glance", tiles(figures)});
  page.sections.push_back({"Decisions", decisions(figures)});
  if (figures.has("level2"))
    page.sections.push_back({"Retrieval", to_html(retrieval_table(figures))});
  if (figures.has("trust")) add_trust(figures, page);
  return page;
}

std::string evaluation_report(const std::filesystem::path& file) {
  std::string text = read_file(file);
  JsonParser parser;
  return to_html(evaluation_page(file.stem().string(), parser.parse_object(text, file.string())));
}

}  // namespace memmatch::report
