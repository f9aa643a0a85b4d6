#include "cli/admit_options.h"

#include <fmt/format.h>

#include "audit/admission.h"
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

audit::Calibration read_calibration(const SearchArguments& arguments, const Verifier& verifier) {
  const audit::Calibration calibration = audit::read_calibration(
      arguments.model, verifier.model_fingerprint(), arguments.engine.precision);
  if (const auto other = audit::other_search(calibration, arguments.search))
    fmt::print(stderr, "{}\n", *other);
  return calibration;
}

Trust open_trust(const std::string& rule, const AuditArguments& audit, SearchArguments& search,
                 const Verifier& verifier) {
  Trust trust(search.model, verifier,
              {.admit = rule,
               .exemplars = audit.exemplars,
               .audit = audit.options,
               .threads = thread_count(search.engine)});
  search.search = trust.search(search.search);
  return trust;
}

}  // namespace memmatch::cli
