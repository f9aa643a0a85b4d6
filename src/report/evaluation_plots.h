#pragma once

#include <vector>

#include "base/json.h"
#include "report/plot.h"

namespace memmatch::report {

// Of the `trust` of an evaluation: how accuracy grows when the least trusted verdicts are left out.
std::vector<Plot> risk_coverage_plots(const JsonObject& trust);

// What admitting verdicts up to a distance gives: of levels 2 and 3, and of the nearest exemplar
// where there were exemplars.
std::vector<Plot> cut_off_plots(const JsonObject& trust);

}  // namespace memmatch::report
