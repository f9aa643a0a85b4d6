#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "audit/calibration.h"
#include "memmatch/verifier.h"

// Which verdicts to rely on (paper §3.4, §5; reference §7).

namespace memmatch::audit {

// The paper's rule, +dist: both distances below the means of correct retrievals and decisions.
struct MeanDistances {
  double level2 = 0;
  double level3 = 0;

  bool admit(double level2_distance, double level3_distance) const {
    return level2_distance < level2 && level3_distance < level3;
  }
};

MeanDistances mean_distances(const Calibration& calibration);

// The paper's +dist+exchange: a decision that is not admitted, on a fact that has changed since the
// import, is taken for its opposite. "Unverifiable" has none.
Label exchanged(Label label, bool admitted, bool changed);

// What `--admit` says.
struct AdmissionRule {
  enum class Kind {
    mean,        // the paper's
    quantile,    // neither distance beyond this share of the correct ones
    confidence,  // at least this confidence
  };
  Kind kind = Kind::mean;
  double threshold = 0;  // from 0 to 1; not used by `mean`

  std::string text() const;  // as parse_rule() takes it
};

// "mean", "quantile:0.9", "confidence:0.8". Throws Error(invalid_argument).
AdmissionRule parse_rule(std::string_view text);

// What holds where nobody chose: a confidence of 0.8, or the paper's rule where the calibration has
// no confidence.
AdmissionRule default_rule(const Calibration& calibration);

// What people write to have no rule at all.
inline constexpr std::string_view kNoRule = "none";

// Throws Error(not_found) where the calibration lacks what the rule needs: a confidence.
void check_rule(const AdmissionRule& rule, const Calibration& calibration);

// How likely the verdict's label is right. None where the calibration has no confidence, there was
// no candidate, or the label is no longer the model's: of labels that exemplars give, a calibration
// knows nothing.
std::optional<double> confidence_of(const Verdict& verdict, const Calibration& calibration);

// What the rule says of a verdict. One for which there was no candidate is never admitted. The
// confidence is given whatever the rule, where there is one; distances are those of the model's
// decision. Throws as check_rule().
Admission admission_of(const Verdict& verdict, const AdmissionRule& rule,
                       const Calibration& calibration);

}  // namespace memmatch::audit
