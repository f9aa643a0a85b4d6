#include "eval/report_parts.h"

#include <fmt/format.h>

namespace memmatch::eval {

nlohmann::ordered_json confusion_json(const Confusion& confusion) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::object();
  for (const Label gold : kLabels) {
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    for (const Label label : kLabels)
      row[std::string(fever_name(label))] = confusion[index(gold)][index(label)];
    rows[std::string(fever_name(gold))] = row;
  }
  return rows;
}

std::string table_row(std::string_view name, const std::vector<std::string>& cells) {
  std::string line = name.empty() ? "| |" : fmt::format("| {} |", name);
  for (const std::string& cell : cells) line += fmt::format(" {} |", cell);
  return line + "\n";
}

std::string table_header(std::string_view name, const std::vector<std::string>& columns) {
  std::string rule = "|---|";
  for (std::size_t i = 0; i < columns.size(); ++i) rule += "---:|";
  return table_row(name, columns) + rule + "\n";
}

std::string confusion_table(std::string_view name, const Confusion& confusion) {
  std::string text = table_header(name, {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO", "right"});
  for (const Label gold : kLabels) {
    const std::uint64_t all = gold_count(confusion, gold);
    if (all == 0) continue;
    const auto& line = confusion[index(gold)];
    std::vector<std::string> cells;
    for (const std::uint64_t count : line) cells.push_back(std::to_string(count));
    cells.push_back(share(percent(line[index(gold)], all)));
    text += table_row(fever_name(gold), cells);
  }
  return text;
}

std::string share(double percentage) { return fmt::format("{:.2f} %", percentage); }

}  // namespace memmatch::eval
