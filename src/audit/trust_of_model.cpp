#include <fmt/format.h>

#include <optional>

#include "audit/trust.h"
#include "base/files.h"
#include "base/hash.h"
#include "memmatch/trust.h"

namespace memmatch {

struct Trust::Impl {
  audit::TrustRules rules;
  audit::Calibration calibration;
  std::optional<ExemplarAuditor> auditor;
  std::string setting;

  void read_rule(const std::filesystem::path& model, const Verifier& verifier,
                 const std::string& rule);
};

// An empty rule is the one that the calibration allows, if there is a calibration.
void Trust::Impl::read_rule(const std::filesystem::path& model, const Verifier& verifier,
                            const std::string& rule) {
  if (rule == audit::kNoRule) return;
  if (!rule.empty()) rules.admission = audit::parse_rule(rule);
  const auto precision =
      verifier.settings().int8 ? engine::Precision::int8 : engine::Precision::fp32;
  const ContentHash& fingerprint = verifier.model_fingerprint();
  if (rules.admission) {
    calibration = audit::read_calibration(model, fingerprint, precision);
    audit::check_rule(*rules.admission, calibration);
  } else {
    auto found = audit::find_calibration(model, fingerprint, precision);
    if (!found) return;
    calibration = *std::move(found);
    rules.admission = audit::default_rule(calibration);
  }
  const std::string file = read_file(audit::calibration_file(model));
  setting = fmt::format("{} {}", rules.admission->text(), to_hex(content_hash(file)));
}

Trust::Trust(const std::filesystem::path& model, const Verifier& verifier, const Settings& settings)
    : impl_(std::make_unique<Impl>()) {
  if (!settings.exemplars.empty()) {
    impl_->auditor.emplace(settings.exemplars, verifier.fingerprint(), settings.threads);
    impl_->rules.exemplars = settings.audit;
  }
  impl_->read_rule(model, verifier, settings.admit);
}

Trust::Trust(Trust&&) noexcept = default;
Trust& Trust::operator=(Trust&&) noexcept = default;
Trust::~Trust() = default;

SearchOptions Trust::search(SearchOptions options) const {
  options.difference |= impl_->auditor.has_value();
  return options;
}

void Trust::apply(const SearchOptions& options, std::span<Verdict> verdicts) {
  audit::apply_trust(impl_->rules, {&impl_->calibration, auditor()}, options, verdicts);
}

std::string Trust::rule() const {
  const auto& rule = impl_->rules.admission;
  return rule ? rule->text() : std::string(audit::kNoRule);
}

const std::string& Trust::setting() const { return impl_->setting; }

ExemplarAuditor* Trust::auditor() { return impl_->auditor ? &*impl_->auditor : nullptr; }

std::string_view in_words(double confidence) {
  if (confidence >= 0.95) return "nearly all such verdicts are right";
  if (confidence >= 0.85) return "about 9 of 10 such verdicts are right";
  if (confidence >= 0.775) return "about 4 of 5 such verdicts are right";
  if (confidence >= 0.71) return "about 3 of 4 such verdicts are right";
  if (confidence >= 0.6) return "about 2 of 3 such verdicts are right";
  if (confidence >= 0.42) return "about half of such verdicts are right";
  if (confidence >= 0.25) return "about 1 of 3 such verdicts is right";
  return "few such verdicts are right";
}

}  // namespace memmatch
