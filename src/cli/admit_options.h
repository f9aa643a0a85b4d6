#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>

#include "audit/trust.h"
#include "cli/audit_options.h"
#include "cli/search_options.h"

namespace memmatch::cli {

// --admit.
CLI::Option* add_admit_option(CLI::App& verb, std::string& rule);

// The rule for people who did not choose one: "none" where the model is not calibrated in this
// precision.
std::string default_admission(const SearchArguments& arguments, const Verifier& verifier);

// The calibration of the model that is searched with. Says on stderr where it was measured with
// other settings than these.
audit::Calibration read_calibration(const SearchArguments& arguments, const Verifier& verifier);

// Applies what --admit and --exemplars ask for to verdicts; does nothing where they are not given.
class Trust {
 public:
  // `rule` is that of --admit; empty and "none" are none. Also has the search keep what an audit
  // needs. Throws Error as audit::read_calibration(), audit::check_rule() and ExemplarAuditor.
  Trust(const std::string& rule, const AuditArguments& exemplars, SearchArguments& search,
        const Verifier& verifier);

  void apply(const SearchOptions& search, std::span<Verdict> verdicts);

  // What the admissions depend on; empty without a rule.
  std::string admission_setting() const { return admission_setting_; }

 private:
  audit::TrustRules rules_;
  audit::Calibration calibration_;
  std::optional<ExemplarAuditor> auditor_;
  std::string admission_setting_;
};

}  // namespace memmatch::cli
