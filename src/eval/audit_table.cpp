#include "eval/audit_table.h"

#include <fmt/format.h>

#include <functional>

#include "audit/exemplar_rules.h"
#include "eval/report_parts.h"

namespace memmatch::eval {
namespace {

// What a rule makes of a decision: a label, or none where it is not admitted.
using Rule = std::function<std::optional<Label>(const AuditedDecision&)>;

AuditLine line_of(std::string name, std::span<const AuditedDecision> decisions, const Rule& rule) {
  AuditLine line{.name = std::move(name), .all = {}, .unchanged = {}, .changed = {}};
  for (const AuditedDecision& decision : decisions) {
    const std::optional<Label> label = rule(decision);
    if (!label) continue;
    for (Share* share : {&line.all, decision.changed ? &line.changed : &line.unchanged}) {
      ++share->claims;
      share->right += *label == decision.gold;
    }
  }
  return line;
}

bool near_enough(const AuditedDecision& decision, const audit::MeanDistances& means) {
  return decision.level2 && decision.level3 && means.admit(*decision.level2, *decision.level3);
}

}  // namespace

AuditedDecision audited_decision(Label gold, const Verdict& verdict) {
  AuditedDecision decision{.gold = gold,
                           .label = verdict.model_label(),
                           .changed = audit::evidence_changed(verdict),
                           .level2 = verdict.level2_distance(),
                           .level3 = verdict.level3_distance(),
                           .exemplar = {},
                           .true_positive = false,
                           .update = {}};
  if (!verdict.exemplars) return decision;
  const ExemplarAudit& audit = *verdict.exemplars;
  if (!audit.nearest.empty()) decision.exemplar = audit.nearest.front().distance;
  decision.true_positive = audit.true_positive;
  if (!audit.update.empty()) decision.update = audit::voted_label(audit.update);
  return decision;
}

AuditTable audit_table(std::span<const AuditedDecision> decisions,
                       const AuditTableOptions& options) {
  AuditTable table{.claims = decisions.size(), .lines = {}};
  const auto add = [&](const char* name, const Rule& rule) {
    table.lines.push_back(line_of(name, decisions, rule));
  };
  add("model", [](const AuditedDecision& d) { return std::optional(d.label); });
  if (options.means) {
    const audit::MeanDistances& means = *options.means;
    add("+dist", [&](const AuditedDecision& d) {
      return near_enough(d, means) ? std::optional(d.label) : std::nullopt;
    });
    add("+dist+exchange", [&](const AuditedDecision& d) {
      return std::optional(audit::exchanged(d.label, near_enough(d, means), d.changed));
    });
  }
  if (options.exemplars) {
    add("+ExA_tp", [](const AuditedDecision& d) {
      return d.true_positive ? std::optional(d.label) : std::nullopt;
    });
  }
  if (options.update) {
    add("+ExA_update",
        [](const AuditedDecision& d) { return std::optional(d.update.value_or(d.label)); });
  }
  return table;
}

std::vector<audit::CutOffPoint> exemplar_cut_off(std::span<const AuditedDecision> decisions,
                                                 std::size_t most) {
  std::vector<audit::AtDistance> admitted;
  for (const AuditedDecision& decision : decisions) {
    if (decision.true_positive && decision.exemplar)
      admitted.push_back({*decision.exemplar, decision.label == decision.gold});
  }
  return audit::cut_off_curve(std::move(admitted), most);
}

std::string to_markdown(const AuditTable& table) {
  const auto cell = [](const Share& share) {
    return share.claims == 0
               ? std::string("– (0)")
               : fmt::format("{:.1f} ({})", percent(share.right, share.claims), share.claims);
  };
  std::string text =
      "| accuracy in percent (claims) | all | evidence unchanged | evidence changed |\n"
      "|---|---:|---:|---:|\n";
  for (const AuditLine& line : table.lines) {
    text += fmt::format("| {} | {} | {} | {} |\n", line.name, cell(line.all), cell(line.unchanged),
                        cell(line.changed));
  }
  return text;
}

ReportJson to_json(const AuditTable& table) {
  const auto share_json = [](const Share& share) {
    return ReportJson{{"claims", share.claims},
                      {"right", share.right},
                      {"accuracy", percent(share.right, share.claims)}};
  };
  ReportJson lines = ReportJson::array();
  for (const AuditLine& line : table.lines) {
    lines.push_back({{"name", line.name},
                     {"all", share_json(line.all)},
                     {"unchanged", share_json(line.unchanged)},
                     {"changed", share_json(line.changed)}});
  }
  return {{"claims", table.claims}, {"lines", lines}};
}

ReportJson to_json(std::span<const audit::CutOffPoint> curve) {
  ReportJson points = ReportJson::array();
  for (const audit::CutOffPoint& point : curve) {
    points.push_back({{"distance", point.distance},
                      {"claims", point.count},
                      {"accuracy", 100 * point.accuracy}});
  }
  return points;
}

std::string to_tsv(std::span<const audit::CutOffPoint> curve) {
  std::string text = "distance\tclaims\taccuracy\n";
  for (const audit::CutOffPoint& point : curve) {
    text += fmt::format("{}\t{}\t{:.4f}\n", point.distance, point.count, 100 * point.accuracy);
  }
  return text;
}

}  // namespace memmatch::eval
