#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "eval/confusion.h"

// What the reports in Markdown and JSON have in common.

namespace memmatch::eval {

inline constexpr std::array kLabels = {Label::supports, Label::refutes, Label::unverifiable};

inline std::size_t index(Label label) { return static_cast<std::size_t>(label); }

inline double percent(double part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * part / static_cast<double>(whole);
}

inline double percent(std::uint64_t part, std::uint64_t whole) {
  return percent(static_cast<double>(part), whole);
}

// Names of the kinds of symmetric rows, in the order of SymmetricKind.
inline constexpr std::array kKindNames = {"original", "changed_evidence", "changed_claim",
                                          "changed_both"};

nlohmann::ordered_json confusion_json(const Confusion& confusion);

// Lines of Markdown tables.
std::string table_row(std::string_view name, const std::vector<std::string>& cells);
std::string table_header(std::string_view name, const std::vector<std::string>& columns);
std::string confusion_table(std::string_view name, const Confusion& confusion);

// "62.00 %".
std::string share(double percentage);

}  // namespace memmatch::eval
