#pragma once

#include <optional>
#include <vector>

#include "cli/audit_options.h"
#include "cli/common.h"
#include "eval/audit_table.h"

namespace memmatch::cli {

// What admission and exemplars make of an evaluation's decisions.
class AuditedRun {
 public:
  // Opens the exemplar database, where one is given, and the model's calibration, where it has one.
  AuditedRun(const AuditArguments& arguments, const Verifier& verifier, SearchArguments& search);

  // As the options ask for, where there is a database.
  void audit(std::span<Verdict> verdicts);

  void add(Label gold, const Verdict& verdict);

  bool has_exemplars() const { return auditor_.has_value(); }

  std::string markdown() const;
  void add_to(Json& report) const;

  // The cut-off curve, as a file of its own.
  void write_curve(const std::string& file) const;

 private:
  ExemplarOptions options_;
  std::optional<ExemplarAuditor> auditor_;
  eval::AuditTableOptions rules_;
  std::vector<eval::AuditedDecision> decisions_;
};

}  // namespace memmatch::cli
