#include "cli/admit_options.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/hash.h"
#include "memmatch/error.h"

namespace memmatch::cli {

void add_admit_option(CLI::App& verb, std::string& rule) {
  verb.add_option("--admit", rule,
                  "Say which verdicts to rely on, by the model's calibration: distances under the "
                  "means (the paper's rule), within a quantile, or a confidence")
      ->check([](const std::string& text) {
        try {
          audit::parse_rule(text);
        } catch (const Error& error) {
          return std::string(error.what());
        }
        return std::string();
      })
      ->option_text("mean|quantile:Q|confidence:P");
}

audit::Calibration read_calibration(const SearchArguments& arguments, const Verifier& verifier) {
  const audit::Calibration calibration = audit::read_calibration(
      arguments.model, verifier.model_fingerprint(), arguments.engine.precision);
  const SearchOptions& search = arguments.search;
  if (calibration.k1 != search.k1 || calibration.z != search.z ||
      calibration.two_class != search.two_class || calibration.all != search.all) {
    fmt::print(stderr,
               "the model was calibrated with --k1 {} --z {}{}{}, which is not what is asked for; "
               "admission and confidence may be off\n",
               calibration.k1, calibration.z, calibration.two_class ? " --two-class" : "",
               calibration.all ? " --candidates all" : "");
  }
  return calibration;
}

Admitter::Admitter(const std::string& rule, const SearchArguments& arguments,
                   const Verifier& verifier) {
  if (rule.empty()) return;
  rule_ = audit::parse_rule(rule);
  calibration_ = read_calibration(arguments, verifier);
  audit::check_rule(*rule_, calibration_);
  const std::string file = read_file(audit::calibration_file(arguments.model));
  setting_ = fmt::format("{} {}", rule_->text(), to_hex(content_hash(file)));
}

void Admitter::apply(Verdict& verdict) const {
  if (rule_) verdict.admission = audit::admission_of(verdict, *rule_, calibration_);
}

}  // namespace memmatch::cli
