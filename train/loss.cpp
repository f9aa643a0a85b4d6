#include "train/loss.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace memmatch::train {

namespace {

// query - support of every pair, [pairs][filters].
torch::Tensor differences(const torch::Tensor& vectors, const std::vector<Pair>& pairs) {
  std::vector<std::int64_t> queries, supports;
  for (const Pair& pair : pairs) {
    queries.push_back(pair.query);
    supports.push_back(pair.support);
  }
  const auto rows = [&](const std::vector<std::int64_t>& list) {
    return vectors.index_select(0, torch::tensor(list).to(vectors.device()));
  };
  return rows(queries) - rows(supports);
}

// For every match the pairs that it is ranked among: itself, then its query's others.
std::vector<std::vector<std::int64_t>> rankings(const std::vector<Pair>& pairs) {
  std::map<std::int64_t, std::vector<std::int64_t>> others;  // by query
  const auto count = static_cast<std::int64_t>(pairs.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const Pair& pair = pairs[static_cast<std::size_t>(i)];
    if (!pair.match) others[pair.query].push_back(i);
  }
  std::vector<std::vector<std::int64_t>> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const Pair& pair = pairs[static_cast<std::size_t>(i)];
    if (!pair.match) continue;
    std::vector<std::int64_t>& ranking = result.emplace_back(1, i);
    const std::vector<std::int64_t>& more = others[pair.query];
    ranking.insert(ranking.end(), more.begin(), more.end());
  }
  return result;
}

}  // namespace

torch::Tensor matching_loss(const torch::Tensor& vectors, const std::vector<Pair>& pairs) {
  std::vector<float> targets;
  for (const Pair& pair : pairs) targets.push_back(pair.match ? 0.0f : 1.0f);
  const torch::Tensor target = torch::tensor(targets).to(vectors.device()).unsqueeze(1);
  const torch::Tensor difference = differences(vectors, pairs).abs();
  return (torch::softplus(difference) - difference * target).mean();
}

torch::Tensor ranking_loss(const torch::Tensor& vectors, const std::vector<Pair>& pairs) {
  // Rankings of several lengths become one table: what is missing points at a score that has no
  // part in a softmax.
  std::vector<std::vector<std::int64_t>> table = rankings(pairs);
  std::size_t longest = 0;
  for (const auto& ranking : table) longest = std::max(longest, ranking.size());
  std::vector<std::int64_t> cells;
  for (auto& ranking : table) {
    ranking.resize(longest, static_cast<std::int64_t>(pairs.size()));
    cells.insert(cells.end(), ranking.begin(), ranking.end());
  }
  constexpr double kAlmostNone = 1e-12;  // keeps the root's gradient finite
  const torch::Tensor squares = differences(vectors, pairs).square().sum(1);
  const torch::Tensor missing = torch::full({1}, -1e9, vectors.options().requires_grad(false));
  const torch::Tensor scores = torch::cat({-(squares + kAlmostNone).sqrt(), missing});
  const torch::Tensor rows =
      scores.index_select(0, torch::tensor(cells).to(vectors.device()))
          .view({static_cast<std::int64_t>(table.size()), static_cast<std::int64_t>(longest)});
  return -rows.log_softmax(1).select(1, 0).mean();
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

double uninformed_ranking_loss(const std::vector<Pair>& pairs) {
  const std::vector<std::vector<std::int64_t>> table = rankings(pairs);
  double sum = 0;
  for (const auto& ranking : table) sum += std::log(static_cast<double>(ranking.size()));
  return table.empty() ? 0 : sum / static_cast<double>(table.size());
}

}  // namespace memmatch::train
