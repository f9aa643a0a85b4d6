#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "memmatch/exemplars.h"
#include "memmatch/verifier.h"

// Auditing decisions by the exemplars that they resemble (paper §3.5, §5).
//
//   auto verifier = memmatch::Verifier::open("facts.db", "models/default", {});
//   memmatch::ExemplarAuditor auditor("exemplars.db", verifier.fingerprint());
//   auto verdict = verifier.verify("Ada Lovelace was born in Paris.", {.difference = true});
//   auditor.audit({&verdict, 1}, {.true_positive = true});
//   if (!verdict.exemplars->admitted) …  // nothing that it knows is like this

namespace memmatch {

struct ExemplarOptions {
  int nearest = 1;     // how many to give with each verdict
  int neighbours = 1;  // how many have a say in the rules; 1 is the paper's, more take a vote

  // ExA_tp: a verdict is admitted only if the nearest exemplar is a true positive for its label (of
  // several neighbours: if more than half of them are), and is not farther than `max_distance`.
  bool true_positive = false;
  std::optional<double> max_distance = {};

  // ExA_update: where the nearest evidence was edited since import, the label is that of the
  // nearest exemplar of this tag (of several neighbours: the most frequent; of equally frequent
  // ones the nearest), and the verdict is admitted.
  std::string update_tag = {};
};

// An exemplar database with its difference vectors in memory, which follow the file. One thread at
// a time; inside, the work is spread over threads.
class ExemplarAuditor {
 public:
  // `fingerprint` is the Verifier's. Throws Error: of Exemplars::open; invalid_argument where all
  // exemplars are of other models.
  ExemplarAuditor(const std::filesystem::path& file, const ContentHash& fingerprint,
                  int threads = 1);

  ExemplarAuditor(ExemplarAuditor&&) noexcept;
  ExemplarAuditor& operator=(ExemplarAuditor&&) noexcept;
  ~ExemplarAuditor();

  // Fills Verdict::exemplars, and changes Verdict::label where ExA_update says so; an earlier audit
  // of the same verdict counts no longer. The verdicts must come with their difference vectors:
  // throws invalid_argument. A verdict without evidence resembles nothing. Throws not_found for an
  // update tag that is not there.
  void audit(std::span<Verdict> verdicts, const ExemplarOptions& options);

  Exemplars& database();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace memmatch
