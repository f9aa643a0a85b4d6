#pragma once

#include <filesystem>
#include <string>

#include "report/html.h"
#include "report/run_metrics.h"

namespace memmatch::report {

// A page about a training run: where it stands, its curves, its epochs, how it does on the dev set,
// its configuration (shown as it is; empty where there is none).
Page run_page(const std::string& name, const RunMetrics& run, const std::string& configuration);

// The page about the run in `folder`, also while it is going. Throws Error(not_found) where the
// folder is not that of a run, Error(corrupt) where its metrics.jsonl is damaged.
std::string run_report(const std::filesystem::path& folder);

}  // namespace memmatch::report
