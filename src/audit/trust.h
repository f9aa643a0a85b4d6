#pragma once

#include <optional>
#include <span>

#include "audit/admission.h"
#include "memmatch/audit.h"

// The one place where it is decided how far to rely on verdicts, for every verb and route.

namespace memmatch::audit {

// What was asked for.
struct TrustRules {
  std::optional<AdmissionRule> admission = {};
  std::optional<ExemplarOptions> exemplars = {};
};

// What it is answered from; each must be there where the rules need it.
struct TrustSources {
  const Calibration* calibration = nullptr;  // of the model and precision that was searched with
  ExemplarAuditor* auditor = nullptr;
};

// Exemplars first, which may change a label, then admission: so an admission always speaks of the
// label that the verdict has. A verdict says so in its warnings where the calibration was measured
// with another search than this one. Doing it again changes nothing. Throws as
// ExemplarAuditor::audit() and admission_of().
void apply_trust(const TrustRules& rules, const TrustSources& sources, const SearchOptions& search,
                 std::span<Verdict> verdicts);

}  // namespace memmatch::audit
