#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "eval/metrics.h"
#include "eval/pairs.h"
#include "eval/symmetric.h"
#include "memmatch/verifier.h"

// Figures for people (Markdown) and for programs (JSON). All shares are percentages; a share of
// nothing is 0. docs/evaluation.md says what each of them means.

namespace memmatch::eval {

using ReportJson = nlohmann::ordered_json;

ReportJson to_json(const Figures& figures, const SearchOptions& settings);
std::string to_markdown(const Figures& figures, const SearchOptions& settings);

// One cell a setting, as sweep_settings gives them; the table has a row for each k1 and a column
// for each z: "accuracy / FEVER score", as the paper's Table 2.
ReportJson sweep_to_json(std::span<const Figures> figures, std::span<const SearchOptions> settings);
std::string sweep_to_markdown(std::span<const Figures> figures,
                              std::span<const SearchOptions> settings);

ReportJson to_json(const SymmetricFigures& figures, const SymmetricSet& set);
std::string to_markdown(const SymmetricFigures& figures, const SymmetricSet& set);

ReportJson to_json(const PairFigures& figures, const PairSet& set);
std::string to_markdown(const PairFigures& figures, const PairSet& set);

}  // namespace memmatch::eval
