#pragma once

#include <vector>

#include "report/plot.h"
#include "report/run_metrics.h"

namespace memmatch::report {

// The curves of a training run over its steps; those for which it has no numbers are left out.
std::vector<Plot> run_plots(const RunMetrics& run);

}  // namespace memmatch::report
