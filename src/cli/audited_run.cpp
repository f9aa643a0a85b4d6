#include "cli/audited_run.h"

#include "audit/calibration.h"
#include "base/atomic_file.h"

namespace memmatch::cli {
namespace {

// Of the curve in a report; a file of its own has them all.
constexpr std::size_t kPoints = 200;

}  // namespace

AuditedRun::AuditedRun(const AuditArguments& arguments, const Verifier& verifier,
                       SearchArguments& search)
    : options_(arguments.options), auditor_(open_auditor(arguments, verifier, search)) {
  rules_.exemplars = auditor_.has_value();
  rules_.update = !options_.update_tag.empty();
  if (const auto calibration = audit::find_calibration(search.model, verifier.model_fingerprint(),
                                                       search.engine.precision))
    rules_.means = audit::mean_distances(*calibration);
}

void AuditedRun::audit(std::span<Verdict> verdicts) {
  if (auditor_) auditor_->audit(verdicts, options_);
}

void AuditedRun::add(Label gold, const Verdict& verdict) {
  decisions_.push_back(eval::audited_decision(gold, verdict));
}

std::string AuditedRun::markdown() const {
  return eval::to_markdown(eval::audit_table(decisions_, rules_));
}

void AuditedRun::add_to(Json& report) const {
  report["audit"] = eval::to_json(eval::audit_table(decisions_, rules_));
  if (rules_.exemplars)
    report["cut_off"] = eval::to_json(eval::exemplar_cut_off(decisions_, kPoints));
}

void AuditedRun::write_curve(const std::string& file) const {
  write_file_atomically(file, eval::to_tsv(eval::exemplar_cut_off(decisions_, decisions_.size())));
}

}  // namespace memmatch::cli
