#include "train/loss.h"

#include <cmath>

namespace memmatch::train {

torch::Tensor matching_loss(const torch::Tensor& vectors, const std::vector<Pair>& pairs) {
  std::vector<std::int64_t> queries, supports;
  std::vector<float> targets;
  for (const Pair& pair : pairs) {
    queries.push_back(pair.query);
    supports.push_back(pair.support);
    targets.push_back(pair.match ? 0.0f : 1.0f);
  }
  const auto on_device = [&](const auto& list) { return torch::tensor(list).to(vectors.device()); };
  const torch::Tensor difference =
      (vectors.index_select(0, on_device(queries)) - vectors.index_select(0, on_device(supports)))
          .abs();
  return (torch::softplus(difference) - difference * on_device(targets).unsqueeze(1)).mean();
}

torch::Tensor mean_over_levels(const std::array<torch::Tensor, 3>& levels) {
  torch::Tensor sum;
  int present = 0;
  for (const torch::Tensor& level : levels) {
    if (!level.defined()) continue;
    sum = sum.defined() ? sum + level : level;
    ++present;
  }
  return present > 0 ? sum / present : sum;
}

double uninformed_loss(std::int64_t matches, std::int64_t others) {
  const auto m = static_cast<double>(matches);
  const auto n = static_cast<double>(others);
  if (matches == 0) return 0;
  if (others <= matches) return std::log(2.0);
  const double other_share = n / (m + n);
  return -other_share * std::log(other_share) - (1 - other_share) * std::log(1 - other_share);
}

}  // namespace memmatch::train
