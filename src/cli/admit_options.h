#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "audit/calibration.h"
#include "cli/audit_options.h"
#include "cli/search_options.h"
#include "memmatch/trust.h"

namespace memmatch::cli {

// --admit.
CLI::Option* add_admit_option(CLI::App& verb, std::string& rule);

// The calibration of the model that is searched with. Says on stderr where it was measured with
// other settings than these.
audit::Calibration read_calibration(const SearchArguments& arguments, const Verifier& verifier);

// What --admit and --exemplars ask for; an empty `rule` is that which the calibration allows. Also
// has the search keep what an audit needs.
Trust open_trust(const std::string& rule, const AuditArguments& audit, SearchArguments& search,
                 const Verifier& verifier);

}  // namespace memmatch::cli
