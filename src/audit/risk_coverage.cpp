#include "audit/risk_coverage.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace memmatch::audit {
namespace {

double trust_of(const Trusted& verdict) {
  return verdict.trust.value_or(-std::numeric_limits<double>::infinity());
}

// Evenly spaced numbers of verdicts, at most `most` of them, the last being all.
std::vector<std::size_t> spaced(std::size_t size, std::size_t most) {
  std::vector<std::size_t> counts;
  const std::size_t points = std::min(size, most);
  for (std::size_t i = 1; i <= points; ++i) counts.push_back(size * i / points);
  return counts;
}

}  // namespace

RiskCoverage::RiskCoverage(std::span<const Trusted> verdicts) {
  std::vector<Trusted> sorted(verdicts.begin(), verdicts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Trusted& a, const Trusted& b) { return trust_of(a) > trust_of(b); });
  double before = 0;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    double right = 0;
    for (; last < sorted.size() && trust_of(sorted[last]) == trust_of(sorted[first]); ++last)
      right += sorted[last].right;
    const double share = right / static_cast<double>(last - first);
    for (std::size_t i = first; i < last; ++i)
      right_.push_back(before + share * static_cast<double>(i - first + 1));
    before += right;
    first = last;
  }
}

double RiskCoverage::accuracy_of_first(std::size_t count) const {
  return right_[count - 1] / static_cast<double>(count);
}

double RiskCoverage::accuracy_at(double share) const {
  if (right_.empty()) return 0;
  const double wanted = std::round(share * static_cast<double>(size()));
  return accuracy_of_first(std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, size()));
}

double RiskCoverage::area() const {
  double sum = 0;
  for (std::size_t i = 1; i <= size(); ++i) sum += 1 - accuracy_of_first(i);
  return right_.empty() ? 0 : sum / static_cast<double>(size());
}

double RiskCoverage::least_area() const {
  if (right_.empty()) return 0;
  const auto right = static_cast<std::size_t>(std::llround(right_.back()));
  double sum = 0;
  for (std::size_t i = right + 1; i <= size(); ++i)
    sum += static_cast<double>(i - right) / static_cast<double>(i);
  return sum / static_cast<double>(size());
}

std::vector<RiskCoverage::Point> RiskCoverage::points(std::size_t most) const {
  std::vector<Point> points;
  for (const std::size_t count : spaced(size(), most)) {
    points.push_back(
        {static_cast<double>(count) / static_cast<double>(size()), accuracy_of_first(count)});
  }
  return points;
}

std::vector<CutOffPoint> cut_off_curve(std::vector<AtDistance> verdicts, std::size_t most) {
  std::sort(verdicts.begin(), verdicts.end(),
            [](const AtDistance& a, const AtDistance& b) { return a.distance < b.distance; });
  // Of equally far verdicts all are within the cut-off, or none.
  std::vector<CutOffPoint> all;
  double right = 0;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    right += verdicts[i].right;
    if (i + 1 < verdicts.size() && verdicts[i + 1].distance == verdicts[i].distance) continue;
    all.push_back({verdicts[i].distance, i + 1, right / static_cast<double>(i + 1)});
  }
  if (all.size() <= most) return all;
  std::vector<CutOffPoint> some{all.front()};
  for (const std::size_t count : spaced(all.size(), most - 1)) some.push_back(all[count - 1]);
  return some;
}

}  // namespace memmatch::audit
