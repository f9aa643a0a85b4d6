#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/search_options.h"
#include "memmatch/audit.h"

namespace memmatch::cli {

// What all verbs that audit verdicts by exemplars have in common.
struct AuditArguments {
  std::string exemplars;  // the database; empty: no audit
  ExemplarOptions options;
};

// --exemplars, --exa-tp, --exa-max-distance, --exa-update, --neighbours.
void add_audit_options(CLI::App& verb, AuditArguments& arguments);

// None where no database is given. Also has the search keep what the audit needs.
std::optional<ExemplarAuditor> open_auditor(const AuditArguments& arguments,
                                            const Verifier& verifier, SearchArguments& search);

}  // namespace memmatch::cli
