#include "eval/trust.h"

#include <algorithm>

#include "eval/report_parts.h"

namespace memmatch::eval {
namespace {

void count(Share& share, bool right) {
  ++share.claims;
  share.right += right;
}

void count(Mode& mode, bool changed, bool right) {
  count(mode.all, right);
  count(changed ? mode.changed : mode.unchanged, right);
}

double level2_of(const Example& example) { return *example.verdict.level2_distance(); }

// Keeps `examples` sorted by `before`, at most `most`; earlier claims first among equals.
template <typename Before>
void insert(std::vector<Example>& examples, const Example& example, std::size_t most,
            Before before) {
  const auto place = std::upper_bound(examples.begin(), examples.end(), example, before);
  if (place == examples.end() && examples.size() >= most) return;
  examples.insert(place, example);
  if (examples.size() > most) examples.pop_back();
}

}  // namespace

Trust::Trust(std::optional<audit::Calibration> calibration, std::vector<audit::AdmissionRule> rules,
             std::size_t examples)
    : calibration_(std::move(calibration)), rules_(std::move(rules)), most_examples_(examples) {
  modes_.push_back({"base", {}, {}, {}});
  if (!calibration_) return;
  modes_.push_back({"+dist", {}, {}, {}});
  modes_.push_back({"+dist+exchange", {}, {}, {}});
  for (const audit::AdmissionRule& rule : rules_) modes_.push_back({rule.text(), {}, {}, {}});
}

void Trust::note_claims(const std::string& hash) {
  fitted_on_these_ = calibration_ && calibration_->dev && calibration_->dev->hash == hash;
}

void Trust::add(const data::Claim& claim, const Verdict& verdict, bool changed) {
  Judged judged{audit::level_distances(verdict), std::nullopt, verdict.label == *claim.label};
  if (judged.distances && calibration_ && calibration_->confidence)
    judged.confidence = calibration_->confidence->of(*judged.distances, verdict.label);
  add_modes(claim, verdict, changed);
  add_example(claim, verdict, judged);
  judged_.push_back(judged);
}

void Trust::add_modes(const data::Claim& claim, const Verdict& verdict, bool changed) {
  const bool right = verdict.label == *claim.label;
  count(modes_[0], changed, right);
  if (!calibration_) return;
  const bool near = audit::admission_of(verdict, {}, *calibration_).admitted;
  if (near) count(modes_[1], changed, right);
  count(modes_[2], changed, audit::exchanged(verdict.label, near, changed) == *claim.label);
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (audit::admission_of(verdict, rules_[i], *calibration_).admitted)
      count(modes_[3 + i], changed, right);
  }
}

void Trust::add_example(const data::Claim& claim, const Verdict& verdict, const Judged& judged) {
  if (!judged.distances || most_examples_ == 0) return;
  Example example{claim.text, *claim.label, verdict, judged.confidence};
  example.verdict.beams.reset();
  insert(nearest_, example, most_examples_,
         [](const Example& a, const Example& b) { return level2_of(a) < level2_of(b); });
  insert(farthest_, example, most_examples_,
         [](const Example& a, const Example& b) { return level2_of(a) > level2_of(b); });
}

std::vector<const char*> Trust::curve_names() const {
  std::vector<const char*> names;
  if (calibration_ && calibration_->confidence) names.push_back("confidence");
  names.insert(names.end(), {"margin", "level3"});
  return names;
}

audit::RiskCoverage Trust::curve_of(const char* name) const {
  const std::string_view wanted(name);
  std::vector<audit::Trusted> verdicts;
  for (const Judged& judged : judged_) {
    audit::Trusted trusted{std::nullopt, judged.right};
    if (judged.distances) {
      trusted.trust = wanted == "confidence" ? judged.confidence
                      : wanted == "margin"   ? std::optional(judged.distances->margin)
                                             : std::optional(-judged.distances->level3);
    }
    verdicts.push_back(trusted);
  }
  return audit::RiskCoverage(verdicts);
}

}  // namespace memmatch::eval
