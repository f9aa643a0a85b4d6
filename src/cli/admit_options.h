#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "audit/admission.h"
#include "cli/search_options.h"

namespace memmatch::cli {

// --admit.
void add_admit_option(CLI::App& verb, std::string& rule);

// The calibration of the model that is searched with. Says on stderr where it was measured with
// other settings than these.
audit::Calibration read_calibration(const SearchArguments& arguments, const Verifier& verifier);

// Applies the rule of --admit to verdicts; does nothing without one.
class Admitter {
 public:
  // Throws Error as audit::read_calibration() and audit::check_rule().
  Admitter(const std::string& rule, const SearchArguments& arguments, const Verifier& verifier);

  void apply(Verdict& verdict) const;

  // What the admissions depend on; empty without a rule.
  std::string setting() const { return setting_; }

 private:
  std::optional<audit::AdmissionRule> rule_;
  audit::Calibration calibration_;
  std::string setting_;
};

}  // namespace memmatch::cli
