#include "eval/trust.h"

#include <algorithm>

#include "audit/exemplar_rules.h"
#include "eval/report_parts.h"

namespace memmatch::eval {
namespace {

void count(Share& share, bool right) {
  ++share.claims;
  share.right += right;
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

Trust::Trust(TrustOptions options) : options_(std::move(options)) {
  add_mode("base", [](const Verdict& verdict) { return std::optional(verdict.label); });
  if (options_.calibration) {
    const auto add_rule = [&](std::string name, const audit::AdmissionRule& rule) {
      add_mode(std::move(name), [this, rule](const Verdict& verdict) {
        return admitted(verdict, rule) ? std::optional(verdict.label) : std::nullopt;
      });
    };
    add_rule("+dist", {});
    add_mode("+dist+exchange", [this](const Verdict& verdict) {
      return std::optional(
          audit::exchanged(verdict.label, admitted(verdict, {}), audit::evidence_changed(verdict)));
    });
    for (const audit::AdmissionRule& rule : options_.rules) add_rule(rule.text(), rule);
  }
  if (!options_.exemplars) return;
  add_mode("+ExA_tp", [](const Verdict& verdict) {
    return verdict.exemplars->true_positive ? std::optional(verdict.label) : std::nullopt;
  });
  if (options_.exemplars->update_tag.empty()) return;
  add_mode("+ExA_update", [](const Verdict& verdict) {
    const auto& update = verdict.exemplars->update;
    return std::optional(update.empty() ? verdict.label : audit::voted_label(update));
  });
}

void Trust::add_mode(std::string name,
                     std::function<std::optional<Label>(const Verdict&)> label_of) {
  modes_.push_back({std::move(name), std::move(label_of)});
}

bool Trust::admitted(const Verdict& verdict, const audit::AdmissionRule& rule) const {
  return audit::admission_of(verdict, rule, *options_.calibration).admitted;
}

bool Trust::fitted_on_these() const {
  const auto& calibration = options_.calibration;
  return calibration &&
         std::any_of(calibration->fitted_on.begin(), calibration->fitted_on.end(),
                     [&](const auto& source) { return source.hash == options_.claims_hash; });
}

void Trust::add(const data::Claim& claim, const Verdict& given) {
  Verdict verdict = given;
  verdict.label = given.model_label();  // whatever exemplars have made of it
  const bool changed = audit::evidence_changed(verdict);
  for (Mode& mode : modes_) {
    const std::optional<Label> label = mode.label_of(verdict);
    if (!label) continue;
    count(mode.all, *label == *claim.label);
    count(changed ? mode.changed : mode.unchanged, *label == *claim.label);
  }
  Judged judged{audit::level_distances(verdict), {}, {}, verdict.label == *claim.label};
  if (options_.calibration)
    judged.confidence = audit::confidence_of(verdict, *options_.calibration);
  if (verdict.exemplars && verdict.exemplars->true_positive)
    judged.exemplar = verdict.exemplars->nearest.front().distance;
  add_example(claim, verdict, judged);
  judged_.push_back(judged);
}

std::vector<audit::CutOffPoint> Trust::exemplar_curve(std::size_t most) const {
  std::vector<audit::AtDistance> admitted;
  for (const Judged& judged : judged_) {
    if (judged.exemplar) admitted.push_back({*judged.exemplar, judged.right});
  }
  return audit::cut_off_curve(std::move(admitted), most);
}

void Trust::add_example(const data::Claim& claim, const Verdict& verdict, const Judged& judged) {
  if (!judged.distances || options_.examples == 0) return;
  Example example{claim.text, *claim.label, verdict, judged.confidence};
  example.verdict.beams.reset();
  insert(nearest_, example, options_.examples,
         [](const Example& a, const Example& b) { return level2_of(a) < level2_of(b); });
  insert(farthest_, example, options_.examples,
         [](const Example& a, const Example& b) { return level2_of(a) > level2_of(b); });
}

std::vector<const char*> Trust::curve_names() const {
  std::vector<const char*> names;
  if (options_.calibration && options_.calibration->confidence) names.push_back("confidence");
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
