#pragma once

#include <torch/torch.h>

#include <array>
#include <optional>
#include <vector>

// The paper's loss (§3.2; reference §5.4): for a match the difference vector |g_q - g_s| is to be
// zero, for any other pair it is to be large, in every component alike. And one that is not the
// paper's: among all pairs of a query the match is to be the nearest.

namespace memmatch::train {

// A query and a support, by their rows among the level's vectors.
struct Pair {
  std::int64_t query = 0;
  std::int64_t support = 0;
  bool match = false;

  friend auto operator<=>(const Pair&, const Pair&) = default;
};

// The mean over pairs and components of softplus(δ) for a match, of softplus(-δ) for the others,
// δ = |query - support|. `vectors` is [rows][filters]; there is at least one pair.
torch::Tensor matching_loss(const torch::Tensor& vectors, const std::vector<Pair>& pairs);

// The mean over matches of the cross-entropy of choosing the match, by softmax over minus the
// distances, among itself and the query's other pairs that are none. A match without any of these
// counts 0; there is at least one match.
torch::Tensor ranking_loss(const torch::Tensor& vectors, const std::vector<Pair>& pairs);

// The unweighted mean over the levels that have pairs; undefined where none has.
torch::Tensor mean_over_levels(const std::array<torch::Tensor, 3>& levels);

// The least loss that can be had without looking at the pairs: with m matches and n others, every
// component's δ has σ(δ) = n / (m + n), or δ = 0 where n < m. A level whose loss stays there has
// learned nothing.
double uninformed_loss(std::int64_t matches, std::int64_t others);

// The ranking loss where all distances are the same.
double uninformed_ranking_loss(const std::vector<Pair>& pairs);

}  // namespace memmatch::train
