#include "search/distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memmatch::search {
namespace {

constexpr std::size_t kLanes = 16;

}  // namespace

double distance(std::span<const float> query, std::span<const float> support) {
  // Sums in a fixed number of lanes: the compiler can use any vector width and gets the same bits.
  std::array<float, kLanes> lanes{};
  const std::size_t whole = query.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float difference = query[i + lane] - support[i + lane] + kDistanceEpsilon;
      lanes[lane] += difference * difference;
    }
  }
  double square = 0;
  for (std::size_t i = whole; i < query.size(); ++i) {
    const double difference = query[i] - support[i] + kDistanceEpsilon;
    square += difference * difference;
  }
  for (const float lane : lanes) square += static_cast<double>(lane);
  return std::sqrt(square);
}

void append_difference(std::span<const float> query, std::span<const float> support,
                       std::vector<float>& all) {
  for (std::size_t i = 0; i < query.size(); ++i) all.push_back(std::abs(query[i] - support[i]));
}

bool nearer(const Ranked& a, const Ranked& b) {
  const double place_a = a.place();
  const double place_b = b.place();
  if (place_a < place_b || place_b < place_a) return place_a < place_b;
  const bool is_number_a = !std::isnan(place_a);
  const bool is_number_b = !std::isnan(place_b);
  return is_number_a != is_number_b ? is_number_a : a.id < b.id;
}

void keep_nearest(std::vector<Ranked>& ranked, std::size_t k) {
  const std::size_t kept = std::min(k, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept),
                    ranked.end(), nearer);
  ranked.resize(kept);
}

}  // namespace memmatch::search
