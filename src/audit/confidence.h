#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "memmatch/types.h"
#include "memmatch/verifier.h"

// A calibrated confidence: how likely a verdict's label is right, from the distances of all levels
// and the label margin together.

namespace memmatch::audit {

// What was asked. Distances of found and of given evidence, and margins among three labels and
// among two, are not on one scale.
enum class Task { found, given, given_two_labels };

// What of a verdict tells how far to trust it. It is all of the model's own decision, whatever
// label exemplars have given it since.
struct LevelDistances {
  double level1 = 0;  // of the nearest evidence (nearest at level 2, that is)
  double level2 = 0;  // of the nearest evidence: the paper's d2
  double level3 = 0;  // of the label that the model decided on: d3
  double margin = 0;  // by how much the second nearest label is farther
  Task task = Task::found;
};

// None where there was no candidate.
std::optional<LevelDistances> level_distances(const Verdict& verdict);

// A decision whose outcome is known.
struct Outcome {
  LevelDistances distances;
  Label label = Label::unverifiable;  // the verdict's
  bool right = false;
  double weight = 1;  // how much it counts beside the others in a fit
};

// A logistic regression over ln(1 + distance) of the three levels and ln(1 + margin), each
// standardised. A far evidence speaks against "supports" and for "unverifiable", so each label has
// weights of its own beside those that all share, and so has each task.
struct Confidence {
  static constexpr std::size_t kInputs = 4;
  using Weights = std::array<double, kInputs + 1>;  // the constant last

  std::array<double, kInputs> mean{};
  std::array<double, kInputs> deviation{};
  Weights shared{};
  std::array<Weights, 3> of_label{};  // in the order of Label
  std::array<Weights, 3> of_task{};   // in the order of Task
  std::uint64_t claims = 0;           // that it was fitted on

  // Measured on claims that were held out in turn (five folds), by their weights.
  double log_loss = 0;
  double brier = 0;  // mean square of confidence minus outcome

  // From 0 to 1.
  double of(const LevelDistances& distances, Label label) const;
};

// Minimises the log loss plus a small ridge by Newton's method: the same outcomes give the same
// numbers. Throws Error(invalid_argument) where there are fewer than 20 outcomes.
Confidence fit_confidence(std::span<const Outcome> outcomes);

}  // namespace memmatch::audit
