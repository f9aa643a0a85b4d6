#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// How much better verdicts become when the least trusted are left out.

namespace memmatch::audit {

// A verdict whose outcome is known, and how far it is trusted: more is better. None where nothing
// could be measured; such verdicts come last.
struct Trusted {
  std::optional<double> trust;
  bool right = false;
};

// Verdicts in the order of trust, most trusted first. Those that are trusted equally are taken as
// evenly mixed, so that nothing depends on the order in which they came.
class RiskCoverage {
 public:
  explicit RiskCoverage(std::span<const Trusted> verdicts);

  std::size_t size() const { return right_.size(); }

  // Share of right labels among the most trusted `share` of all (at least one verdict); 0 of
  // nothing.
  double accuracy_at(double share) const;

  // The area under the curve of risk (share of wrong labels) over coverage: the mean of the risks
  // of the first 1, 2 … all verdicts. 0 is faultless; without any order it is about the share of
  // wrong labels.
  double area() const;

  // The least area that any order of these verdicts could have: all right ones first.
  double least_area() const;

  // Points (coverage, accuracy) for a plot, at most so many, the last at full coverage.
  struct Point {
    double coverage = 0;
    double accuracy = 0;
  };
  std::vector<Point> points(std::size_t most = 200) const;

 private:
  double accuracy_of_first(std::size_t count) const;

  std::vector<double> right_;  // expected number of right labels among the first i + 1
};

// A verdict at a distance from something, whose outcome is known.
struct AtDistance {
  double distance = 0;
  bool right = false;
};

// Of the verdicts within a distance: how many there are, and the share of right ones.
struct CutOffPoint {
  double distance = 0;
  std::size_t count = 0;
  double accuracy = 0;
};

// The paper's Figure 2: what admitting up to each distance gives. Ascending; at most `most` points,
// among them the nearest and the farthest verdict.
std::vector<CutOffPoint> cut_off_curve(std::vector<AtDistance> verdicts, std::size_t most = 200);

}  // namespace memmatch::audit
