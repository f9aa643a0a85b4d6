#include "cli/exemplar_print.h"

#include <fmt/format.h>

namespace memmatch::cli {
namespace {

std::string decision(const Exemplar& exemplar) {
  std::string text(fever_name(exemplar.gold));
  if (exemplar.predicted != exemplar.gold)
    text += fmt::format(", the model said {}", fever_name(exemplar.predicted));
  if (exemplar.first_gold != exemplar.gold)
    text += fmt::format(", re-labelled from {}", fever_name(exemplar.first_gold));
  return text;
}

void print_evidence(const Exemplar& exemplar) {
  for (const GivenEvidence& evidence : exemplar.evidence)
    fmt::print("              {}, sentence {}: {}\n", evidence.title, evidence.number,
               evidence.text);
}

void print_near(const NearExemplar& near, bool evidence) {
  fmt::print("    {:8.3f}  {}  exemplar {} of '{}', {}: {}\n", near.distance, name_of(near.kind),
             near.exemplar.id, near.exemplar.tag, decision(near.exemplar), near.exemplar.claim);
  if (evidence) print_evidence(near.exemplar);
}

}  // namespace

void print_exemplar(const Exemplar& exemplar) {
  fmt::print("{:>6}  {}  ({}) {}\n", exemplar.id, exemplar.tag, decision(exemplar), exemplar.claim);
  print_evidence(exemplar);
}

void print_exemplar_audit(const Verdict& verdict, bool evidence) {
  if (!verdict.exemplars) return;
  const ExemplarAudit& audit = *verdict.exemplars;
  fmt::print("  nearest exemplars:{}\n", audit.nearest.empty() ? " none" : "");
  for (const NearExemplar& near : audit.nearest) print_near(near, evidence);
  if (!audit.update.empty()) {
    fmt::print(
        "  the evidence was edited since import: the label is that of these exemplars, not "
        "the model's ({})\n",
        fever_name(audit.model_label));
    for (const NearExemplar& near : audit.update) print_near(near, evidence);
  }
  if (!audit.admitted) {
    fmt::print("  not admitted: no right decision for {} is near enough\n",
               fever_name(verdict.label));
  }
}

}  // namespace memmatch::cli
