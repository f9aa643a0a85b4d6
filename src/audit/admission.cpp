#include "audit/admission.h"

#include <fmt/format.h>

#include <charconv>

#include "memmatch/error.h"

namespace memmatch::audit {
namespace {

constexpr std::string_view kQuantile = "quantile:";
constexpr std::string_view kConfidence = "confidence:";

double parse_share(std::string_view text, std::string_view rule) {
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= 1)
    return value;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("'{}' is no rule of admission: after the colon there must be a number "
                          "from 0 to 1",
                          rule));
}

void check_distance(int level, double distance, double limit, bool inside, std::string_view what,
                    Admission& admission) {
  if (inside) return;
  admission.admitted = false;
  admission.reasons.push_back(fmt::format("the level-{} distance {:.3f} is beyond {} ({:.3f})",
                                          level, distance, what, limit));
}

}  // namespace

MeanDistances mean_distances(const Calibration& calibration) {
  return {calibration.level2.mean, calibration.level3.mean};
}

Label exchanged(Label label, bool admitted, bool changed) {
  if (admitted || !changed) return label;
  if (label == Label::supports) return Label::refutes;
  if (label == Label::refutes) return Label::supports;
  return label;
}

std::string AdmissionRule::text() const {
  if (kind == Kind::mean) return "mean";
  return fmt::format("{}{}", kind == Kind::quantile ? kQuantile : kConfidence, threshold);
}

AdmissionRule parse_rule(std::string_view text) {
  using Kind = AdmissionRule::Kind;
  if (text == "mean") return {Kind::mean, 0};
  if (text.starts_with(kQuantile))
    return {Kind::quantile, parse_share(text.substr(kQuantile.size()), text)};
  if (text.starts_with(kConfidence))
    return {Kind::confidence, parse_share(text.substr(kConfidence.size()), text)};
  throw Error(ErrorKind::invalid_argument,
              fmt::format("'{}' is no rule of admission; there are 'mean', 'quantile:Q' and "
                          "'confidence:P'",
                          text));
}

AdmissionRule default_rule(const Calibration& calibration) {
  if (!calibration.confidence) return {};
  return {AdmissionRule::Kind::confidence, 0.8};
}

void check_rule(const AdmissionRule& rule, const Calibration& calibration) {
  if (rule.kind != AdmissionRule::Kind::confidence || calibration.confidence) return;
  throw Error(ErrorKind::not_found,
              "the model's calibration has no confidence; 'memmatch calibrate' with --dev FILE "
              "fits one");
}

std::optional<double> confidence_of(const Verdict& verdict, const Calibration& calibration) {
  const std::optional<LevelDistances> distances = level_distances(verdict);
  if (!calibration.confidence || !distances || verdict.label != verdict.model_label())
    return std::nullopt;
  return calibration.confidence->of(*distances, verdict.label);
}

Admission admission_of(const Verdict& verdict, const AdmissionRule& rule,
                       const Calibration& calibration) {
  check_rule(rule, calibration);
  Admission admission{rule.text(), false, std::nullopt, {}};
  const std::optional<LevelDistances> distances = level_distances(verdict);
  if (!distances) {
    admission.reasons.push_back("there was no sentence to verify the claim against");
    return admission;
  }
  admission.confidence = confidence_of(verdict, calibration);
  admission.admitted = true;
  const double d2 = distances->level2;
  const double d3 = distances->level3;
  if (rule.kind == AdmissionRule::Kind::mean) {
    const MeanDistances means = mean_distances(calibration);
    check_distance(2, d2, means.level2, d2 < means.level2, "the mean of right retrievals",
                   admission);
    check_distance(3, d3, means.level3, d3 < means.level3, "the mean of right decisions",
                   admission);
  } else if (rule.kind == AdmissionRule::Kind::quantile) {
    const double q2 = calibration.level2.quantile(rule.threshold);
    const double q3 = calibration.level3.quantile(rule.threshold);
    const std::string share = fmt::format("the quantile {} of right ", rule.threshold);
    check_distance(2, d2, q2, d2 <= q2, share + "retrievals", admission);
    check_distance(3, d3, q3, d3 <= q3, share + "decisions", admission);
  } else if (!admission.confidence) {
    admission.admitted = false;
    admission.reasons.push_back("the label is that of exemplars, for which there is no confidence");
  } else if (*admission.confidence < rule.threshold) {
    admission.admitted = false;
    admission.reasons.push_back(
        fmt::format("the confidence {:.3f} is under {}", *admission.confidence, rule.threshold));
  }
  return admission;
}

}  // namespace memmatch::audit
