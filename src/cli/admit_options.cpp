#include "cli/admit_options.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/hash.h"
#include "memmatch/error.h"

namespace memmatch::cli {

CLI::Option* add_admit_option(CLI::App& verb, std::string& rule) {
  return verb
      .add_option("--admit", rule,
                  "Say which verdicts to rely on, by the model's calibration: distances under the "
                  "means (the paper's rule), within a quantile, or a confidence")
      ->check([](const std::string& text) {
        try {
          if (text != audit::kNoRule) audit::parse_rule(text);
        } catch (const Error& error) {
          return std::string(error.what());
        }
        return std::string();
      })
      ->option_text("mean|quantile:Q|confidence:P|none");
}

std::string default_admission(const SearchArguments& arguments, const Verifier& verifier) {
  const auto calibration = audit::find_calibration(arguments.model, verifier.model_fingerprint(),
                                                   arguments.engine.precision);
  return calibration ? audit::default_rule(*calibration).text() : std::string(audit::kNoRule);
}

audit::Calibration read_calibration(const SearchArguments& arguments, const Verifier& verifier) {
  const audit::Calibration calibration = audit::read_calibration(
      arguments.model, verifier.model_fingerprint(), arguments.engine.precision);
  if (const auto other = audit::other_search(calibration, arguments.search))
    fmt::print(stderr, "{}\n", *other);
  return calibration;
}

Trust::Trust(const std::string& rule, const AuditArguments& exemplars, SearchArguments& search,
             const Verifier& verifier)
    : auditor_(open_auditor(exemplars, verifier, search)) {
  if (auditor_) rules_.exemplars = exemplars.options;
  if (rule.empty() || rule == audit::kNoRule) return;
  rules_.admission = audit::parse_rule(rule);
  calibration_ =
      audit::read_calibration(search.model, verifier.model_fingerprint(), search.engine.precision);
  audit::check_rule(*rules_.admission, calibration_);
  const std::string file = read_file(audit::calibration_file(search.model));
  admission_setting_ = fmt::format("{} {}", rules_.admission->text(), to_hex(content_hash(file)));
}

void Trust::apply(const SearchOptions& search, std::span<Verdict> verdicts) {
  audit::apply_trust(rules_, {&calibration_, auditor_ ? &*auditor_ : nullptr}, search, verdicts);
}

}  // namespace memmatch::cli
