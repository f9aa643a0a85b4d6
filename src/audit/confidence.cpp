#include "audit/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "memmatch/error.h"

namespace memmatch::audit {
namespace {

constexpr std::size_t kInputs = Confidence::kInputs;
constexpr std::size_t kBlock = kInputs + 1;   // an input each, and the constant
constexpr std::size_t kWeights = 7 * kBlock;  // shared, of each label, and of each task
constexpr double kRidge = 1.0;                // as if each weight had been seen to be small once
constexpr double kRidgeOfConstant = 1e-2;     // keeps it finite where all decisions are right
constexpr int kMostSteps = 100;
constexpr std::size_t kFewest = 20;
constexpr std::size_t kFolds = 5;

using Inputs = std::array<double, kInputs>;
using Vector = std::array<double, kWeights>;
using Matrix = std::array<Vector, kWeights>;

Inputs inputs_of(const LevelDistances& distances) {
  return {std::log1p(distances.level1), std::log1p(distances.level2), std::log1p(distances.level3),
          std::log1p(distances.margin)};
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// ln(1 + e^x) without overflow.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double ridge_of(std::size_t weight) { return weight == kInputs ? kRidgeOfConstant : kRidge; }

std::size_t block_of(Label label) { return kBlock * (1 + static_cast<std::size_t>(label)); }
std::size_t block_of(Task task) { return kBlock * (4 + static_cast<std::size_t>(task)); }

// An outcome with its inputs standardised.
struct Row {
  std::array<double, kBlock> values{};  // the last is 1
  std::array<std::size_t, 3> blocks{};  // where weights begin: shared, its label's, its task's
  bool right = false;
  double weight = 1;

  double score(const Vector& weights) const {
    double sum = 0;
    for (const std::size_t block : blocks) {
      for (std::size_t i = 0; i < kBlock; ++i) sum += values[i] * weights[block + i];
    }
    return sum;
  }
};

std::array<double, kBlock> standardised(const LevelDistances& distances, const Confidence& scale) {
  std::array<double, kBlock> values{};
  const Inputs inputs = inputs_of(distances);
  for (std::size_t i = 0; i < kInputs; ++i)
    values[i] = (inputs[i] - scale.mean[i]) / scale.deviation[i];
  values[kInputs] = 1;
  return values;
}

double total_weight(std::span<const Outcome> outcomes) {
  double sum = 0;
  for (const Outcome& outcome : outcomes) sum += outcome.weight;
  return sum;
}

void set_scale(std::span<const Outcome> outcomes, Confidence& confidence) {
  const double all = total_weight(outcomes);
  for (const Outcome& outcome : outcomes) {
    const Inputs inputs = inputs_of(outcome.distances);
    for (std::size_t i = 0; i < kInputs; ++i)
      confidence.mean[i] += outcome.weight * inputs[i] / all;
  }
  for (const Outcome& outcome : outcomes) {
    const Inputs inputs = inputs_of(outcome.distances);
    for (std::size_t i = 0; i < kInputs; ++i)
      confidence.deviation[i] += outcome.weight * std::pow(inputs[i] - confidence.mean[i], 2) / all;
  }
  for (double& deviation : confidence.deviation) {
    deviation = std::sqrt(deviation);
    if (!(deviation > 1e-9)) deviation = 1;  // an input that never changes
  }
}

double objective(std::span<const Row> rows, const Vector& weights) {
  double sum = 0;
  for (const Row& row : rows) {
    const double score = row.score(weights);
    sum += row.weight * softplus(row.right ? -score : score);
  }
  for (std::size_t i = 0; i < kWeights; ++i) sum += ridge_of(i) * weights[i] * weights[i] / 2;
  return sum;
}

void derivatives(std::span<const Row> rows, const Vector& weights, Vector& gradient,
                 Matrix& hessian) {
  gradient = {};
  hessian = {};
  for (const Row& row : rows) {
    const double p = logistic(row.score(weights));
    const double error = row.weight * (p - (row.right ? 1 : 0));
    const double curvature = row.weight * p * (1 - p);
    constexpr std::size_t kUsed = 3 * kBlock;
    for (std::size_t i = 0; i < kUsed; ++i) {
      const std::size_t a = row.blocks[i / kBlock] + i % kBlock;
      gradient[a] += error * row.values[i % kBlock];
      for (std::size_t k = 0; k < kUsed; ++k) {
        const std::size_t b = row.blocks[k / kBlock] + k % kBlock;
        hessian[a][b] += curvature * row.values[i % kBlock] * row.values[k % kBlock];
      }
    }
  }
  for (std::size_t i = 0; i < kWeights; ++i) {
    gradient[i] += ridge_of(i) * weights[i];
    hessian[i][i] += ridge_of(i);
  }
}

// The solution of H x = g by Cholesky's method; the ridge makes H positive definite.
Vector solve(Matrix h, const Vector& g) {
  Vector x = g;
  for (std::size_t i = 0; i < kWeights; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      for (std::size_t j = i; j < kWeights; ++j) h[j][i] -= h[j][k] * h[i][k];
    }
    const double root = std::sqrt(h[i][i]);
    for (std::size_t j = i; j < kWeights; ++j) h[j][i] /= root;
  }
  for (std::size_t i = 0; i < kWeights; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= h[i][k] * x[k];
    x[i] /= h[i][i];
  }
  for (std::size_t i = kWeights; i-- > 0;) {
    for (std::size_t k = i + 1; k < kWeights; ++k) x[i] -= h[k][i] * x[k];
    x[i] /= h[i][i];
  }
  return x;
}

Vector minimise(std::span<const Row> rows) {
  Vector weights{};
  Vector gradient{};
  Matrix hessian{};
  double value = objective(rows, weights);
  for (int step = 0; step < kMostSteps; ++step) {
    derivatives(rows, weights, gradient, hessian);
    const Vector direction = solve(hessian, gradient);
    Vector next{};
    double next_value = value;
    for (double length = 1; length > 1e-6; length /= 2) {
      for (std::size_t i = 0; i < kWeights; ++i) next[i] = weights[i] - length * direction[i];
      next_value = objective(rows, next);
      if (next_value <= value) break;
    }
    if (!(next_value < value)) break;
    const bool near_enough = value - next_value < 1e-10 * value;
    weights = next;
    value = next_value;
    if (near_enough) break;
  }
  return weights;
}

Confidence fit(std::span<const Outcome> outcomes) {
  Confidence confidence;
  confidence.claims = outcomes.size();
  set_scale(outcomes, confidence);
  std::vector<Row> rows;
  for (const Outcome& outcome : outcomes) {
    rows.push_back({standardised(outcome.distances, confidence),
                    {0, block_of(outcome.label), block_of(outcome.distances.task)},
                    outcome.right,
                    outcome.weight});
  }
  const Vector weights = minimise(rows);
  const auto copy = [&](std::size_t block, Confidence::Weights& to) {
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(block), kBlock, to.begin());
  };
  copy(0, confidence.shared);
  for (std::size_t i = 0; i < 3; ++i) {
    copy(block_of(static_cast<Label>(i)), confidence.of_label[i]);
    copy(block_of(static_cast<Task>(i)), confidence.of_task[i]);
  }
  return confidence;
}

// Every fifth outcome is judged by what the others say.
void cross_validate(std::span<const Outcome> outcomes, Confidence& confidence) {
  const double all = total_weight(outcomes);
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<Outcome> others;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (i % kFolds != fold) others.push_back(outcomes[i]);
    }
    const Confidence held_out = fit(others);
    for (std::size_t i = fold; i < outcomes.size(); i += kFolds) {
      const double p = held_out.of(outcomes[i].distances, outcomes[i].label);
      const double of_truth = outcomes[i].right ? p : 1 - p;
      const double weight = outcomes[i].weight / all;
      confidence.log_loss -= weight * std::log(std::max(of_truth, 1e-12));
      confidence.brier += weight * (1 - of_truth) * (1 - of_truth);
    }
  }
}

}  // namespace

std::optional<LevelDistances> level_distances(const Verdict& verdict) {
  const std::optional<double> level3 = verdict.level3_distance();
  if (verdict.evidence.empty() || !level3) return std::nullopt;
  std::optional<double> second;
  for (std::size_t i = 0; i < verdict.label_distances.size(); ++i) {
    const std::optional<double>& distance = verdict.label_distances[i];
    if (!distance || i == static_cast<std::size_t>(verdict.model_label())) continue;
    second = second ? std::min(*second, *distance) : *distance;
  }
  const Evidence& top = verdict.evidence.front();
  const bool two_labels = !verdict.label_distances[static_cast<std::size_t>(Label::unverifiable)];
  const Task task = verdict.origin != CandidateOrigin::given ? Task::found
                    : two_labels                             ? Task::given_two_labels
                                                             : Task::given;
  return LevelDistances{top.level1_distance, top.level2_distance, *level3,
                        second ? std::max(0.0, *second - *level3) : 0, task};
}

double Confidence::of(const LevelDistances& distances, Label label) const {
  const std::array<double, kBlock> values = standardised(distances, *this);
  const Weights& own = of_label[static_cast<std::size_t>(label)];
  const Weights& task = of_task[static_cast<std::size_t>(distances.task)];
  double score = 0;
  for (std::size_t i = 0; i < kBlock; ++i) score += values[i] * (shared[i] + own[i] + task[i]);
  return logistic(score);
}

Confidence fit_confidence(std::span<const Outcome> outcomes) {
  if (outcomes.size() < kFewest) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a confidence cannot be fitted on {} verdicts: {} are the fewest",
                            outcomes.size(), kFewest));
  }
  Confidence confidence = fit(outcomes);
  cross_validate(outcomes, confidence);
  return confidence;
}

}  // namespace memmatch::audit
