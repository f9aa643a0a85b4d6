#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/admission.h"
#include "audit/risk_coverage.h"
#include "data/claims.h"
#include "eval/report.h"
#include "memmatch/audit.h"

// How well a model knows when to be trusted: what admission rules and exemplars make of its
// verdicts (the paper's Tables 3 and 4, and its Figure 2), the risk-coverage curves of its
// confidence and of two baselines, and examples (docs/evaluation.md).

namespace memmatch::eval {

// One way of using verdicts: all of them, those that a rule admits, or with other labels.
struct Mode {
  std::string name;  // "base", "+dist", …, or a rule as `--admit` takes it
  // The label that is used; none where the verdict is not admitted, and not counted.
  std::function<std::optional<Label>(const Verdict&)> label_of;
  Share all = {};
  Share unchanged = {};  // claims whose nearest evidence is what was imported
  Share changed = {};
};

struct TrustOptions {
  std::optional<audit::Calibration> calibration = {};  // of the model, where it has one
  std::vector<audit::AdmissionRule> rules = {};        // besides the paper's
  std::optional<ExemplarOptions> exemplars = {};  // how the verdicts were audited, if they were
  std::size_t examples = 5;                       // the most, near and far each
  std::string claims_hash = {};  // a confidence that was fitted on these claims flatters itself
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
  explicit Trust(TrustOptions options);
  Trust(const Trust&) = delete;  // its modes look at its calibration
  Trust& operator=(const Trust&) = delete;

  void add(const data::Claim& claim, const Verdict& verdict);

  // The paper's Figure 2: of the verdicts that ExA_tp admits, those whose exemplar is within a
  // distance. At most `most` points.
  std::vector<audit::CutOffPoint> exemplar_curve(std::size_t most) const;

  ReportJson to_json() const;
  std::string to_markdown() const;

 private:
  struct Judged {
    std::optional<audit::LevelDistances> distances;
    std::optional<double> confidence;
    std::optional<double> exemplar;  // distance of the nearest, where ExA_tp admits the verdict
    bool right = false;
  };

  void add_mode(std::string name, std::function<std::optional<Label>(const Verdict&)> label_of);
  bool admitted(const Verdict& verdict, const audit::AdmissionRule& rule) const;
  void add_example(const data::Claim& claim, const Verdict& verdict, const Judged& judged);
  audit::RiskCoverage curve_of(const char* name) const;
  std::vector<const char*> curve_names() const;
  ReportJson risk_coverage_json() const;
  ReportJson reliability_json() const;
  ReportJson cut_off_json() const;
  std::string modes_markdown() const;
  bool fitted_on_these() const;

  const TrustOptions options_;
  std::vector<Judged> judged_;
  std::vector<Mode> modes_;
  std::vector<Example> nearest_;   // by d2, nearest first
  std::vector<Example> farthest_;  // by d2, farthest first
};

// "distance, claims, accuracy" in columns.
std::string to_tsv(std::span<const audit::CutOffPoint> curve);

}  // namespace memmatch::eval
