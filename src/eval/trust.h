#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "audit/admission.h"
#include "audit/risk_coverage.h"
#include "data/claims.h"
#include "eval/report.h"

// How well a model knows when to be trusted: what admission rules let through, the risk-coverage
// curves of its confidence and of two baselines, and examples (docs/evaluation.md).

namespace memmatch::eval {

// One way of using verdicts: all of them, those that a rule admits, or with exchanged labels.
struct Mode {
  std::string name;  // "base", "+dist", "+dist+exchange", or a rule as `--admit` takes it
  Share all;
  Share unchanged;  // claims whose evidence is what was imported
  Share changed;
};

struct Example {
  std::string claim;
  Label gold = Label::unverifiable;
  Verdict verdict;
  std::optional<double> confidence;
};

// Takes verdicts one at a time and keeps a few numbers of each.
class Trust {
 public:
  // Without calibration there are only the baselines. Besides the paper's modes, those of `rules`.
  Trust(std::optional<audit::Calibration> calibration, std::vector<audit::AdmissionRule> rules,
        std::size_t examples);

  // `changed`: the evidence is not what was imported.
  void add(const data::Claim& claim, const Verdict& verdict, bool changed);

  // Whether the confidence was fitted on the claims with this hash, and flatters itself.
  void note_claims(const std::string& hash);

  ReportJson to_json() const;
  std::string to_markdown() const;

 private:
  struct Judged {
    std::optional<audit::LevelDistances> distances;
    std::optional<double> confidence;
    bool right = false;
  };

  void add_modes(const data::Claim& claim, const Verdict& verdict, bool changed);
  void add_example(const data::Claim& claim, const Verdict& verdict, const Judged& judged);
  audit::RiskCoverage curve_of(const char* name) const;
  std::vector<const char*> curve_names() const;
  ReportJson risk_coverage_json() const;
  ReportJson reliability_json() const;

  std::optional<audit::Calibration> calibration_;
  std::vector<audit::AdmissionRule> rules_;
  std::size_t most_examples_;
  bool fitted_on_these_ = false;
  std::vector<Judged> judged_;
  std::vector<Mode> modes_;
  std::vector<Example> nearest_;   // by d2, nearest first
  std::vector<Example> farthest_;  // by d2, farthest first
};

}  // namespace memmatch::eval
