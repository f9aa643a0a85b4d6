#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/admission.h"
#include "audit/risk_coverage.h"
#include "eval/report.h"
#include "eval/symmetric.h"
#include "memmatch/verifier.h"

// What admission and exemplars make of a set of decisions: the paper's Tables 3 and 4, and its
// Figure 2.

namespace memmatch::eval {

// Of a decision, all that the rules look at.
struct AuditedDecision {
  Label gold = Label::unverifiable;
  Label label = Label::unverifiable;  // the model's
  bool changed = false;               // its evidence is not the text that was imported
  std::optional<double> level2;       // none: there was no evidence
  std::optional<double> level3;
  std::optional<double> exemplar;  // distance of the nearest
  bool true_positive = false;      // by ExemplarAudit
  std::optional<Label> update;     // what ExA_update makes of it, where it does
};

AuditedDecision audited_decision(Label gold, const Verdict& verdict);

// A line of the tables. Decisions that are not admitted are not counted.
struct AuditLine {
  std::string name;
  Share all;
  Share unchanged;
  Share changed;
};

struct AuditTable {
  std::uint64_t claims = 0;
  std::vector<AuditLine> lines;
};

struct AuditTableOptions {
  std::optional<audit::MeanDistances> means = {};  // for +dist and +dist+exchange
  bool exemplars = false;                          // for +ExA_tp
  bool update = false;                             // for +ExA_update
};

AuditTable audit_table(std::span<const AuditedDecision> decisions,
                       const AuditTableOptions& options);

// The paper's Figure 2: of the decisions that ExA_tp admits, those whose exemplar is within a
// distance. At most `most` points.
std::vector<audit::CutOffPoint> exemplar_cut_off(std::span<const AuditedDecision> decisions,
                                                 std::size_t most);

std::string to_markdown(const AuditTable& table);
ReportJson to_json(const AuditTable& table);
ReportJson to_json(std::span<const audit::CutOffPoint> curve);

// "distance, claims, accuracy" in columns.
std::string to_tsv(std::span<const audit::CutOffPoint> curve);

}  // namespace memmatch::eval
