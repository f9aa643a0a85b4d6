#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memmatch/types.h"

namespace memmatch::search {

// The paper's distance between memory vectors: the Euclidean norm of q - s + 1e-6, the small number
// being added to every component, as the framework does with which the paper's figures were made.
inline constexpr float kDistanceEpsilon = 1e-6F;
double distance(std::span<const float> query, std::span<const float> support);

// |query - support|, component by component, put behind what `all` holds.
void append_difference(std::span<const float> query, std::span<const float> support,
                       std::vector<float>& all);

// Something at a distance. Ids order what is equally far.
struct Ranked {
  std::int64_t id = 0;
  double distance = 0;
  double credit = 0;  // what the words it shares with a claim bring it nearer in the ranking

  double place() const { return distance - credit; }

  friend bool operator==(const Ranked&, const Ranked&) = default;
};

// Whether `a` comes before `b`: by place, ties by smaller id. A place that is no number comes
// behind all others, so that this is an order whatever the numbers are.
bool nearer(const Ranked& a, const Ranked& b);

// Sorts by nearer() and keeps the first `k`.
void keep_nearest(std::vector<Ranked>& ranked, std::size_t k);

}  // namespace memmatch::search
