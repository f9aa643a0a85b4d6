#include "audit/trust.h"

#include <algorithm>

namespace memmatch::audit {
namespace {

void warn(Verdict& verdict, const std::string& warning) {
  std::vector<std::string>& all = verdict.warnings;
  if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
}

}  // namespace

void apply_trust(const TrustRules& rules, const TrustSources& sources, const SearchOptions& search,
                 std::span<Verdict> verdicts) {
  if (rules.exemplars) sources.auditor->audit(verdicts, *rules.exemplars);
  if (!rules.admission) return;
  const std::optional<std::string> other = other_search(*sources.calibration, search);
  for (Verdict& verdict : verdicts) {
    verdict.admission = admission_of(verdict, *rules.admission, *sources.calibration);
    if (other) warn(verdict, *other);
  }
}

}  // namespace memmatch::audit
