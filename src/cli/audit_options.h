#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "memmatch/audit.h"

namespace memmatch::cli {

// What all verbs that audit verdicts by exemplars have in common.
struct AuditArguments {
  std::string exemplars;  // the database; empty: no audit
  ExemplarOptions options;
};

// --exemplars, --exa-tp, --exa-max-distance, --exa-update, --neighbours.
void add_audit_options(CLI::App& verb, AuditArguments& arguments);

}  // namespace memmatch::cli
