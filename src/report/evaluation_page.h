#pragma once

#include <filesystem>
#include <string>

#include "base/json.h"
#include "report/html.h"

namespace memmatch::report {

// A page about an evaluation: tables, risk-coverage and cut-off curves, and the verdicts with the
// nearest and the farthest evidence (paper appendix C). `figures` is what `memmatch evaluate
// --json` prints; what it does not have is left out. Throws Error(corrupt) naming the field where
// it is something else.
Page evaluation_page(const std::string& name, const JsonObject& figures);

// The page about the evaluation in `file`.
std::string evaluation_report(const std::filesystem::path& file);

}  // namespace memmatch::report
