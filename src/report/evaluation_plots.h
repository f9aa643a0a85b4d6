#pragma once

#include <vector>

#include "base/json.h"
#include "report/plot.h"

namespace memmatch::report {

// Of the `trust` of an evaluation: how accuracy grows when the least trusted verdicts are left out.
std::vector<Plot> risk_coverage_plots(const JsonObject& trust);

// What admitting verdicts up to a distance gives: of levels 2 and 3 (in `trust`).
std::vector<Plot> cut_off_plots(const JsonObject& trust);

// The same by the distance of the nearest exemplar, the paper's Figure 2: an evaluation's
// `cut_off`.
Plot exemplar_plot(const JsonObject& figures);

}  // namespace memmatch::report
