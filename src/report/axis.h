#pragma once

#include <string>
#include <vector>

namespace memmatch::report {

struct Range {
  double low = 0;
  double high = 0;
};

// Whether a number can be drawn: neither NaN nor infinite nor absurdly large.
bool drawable(double value);

// The part of the number line that a plot shows, with ticks at multiples of 1, 2 or 5 times a
// power of ten.
struct Axis {
  Range range;
  double step = 1;
  std::vector<double> ticks;
};

// `range` as it is, the ticks within it; `about` how many ticks there may be. A range without
// extent is widened.
Axis tight_axis(Range range, int about);

// `range` widened so that ticks are at both ends.
Axis wide_axis(Range range, int about);

// "0.25", "15k", "2e-5": with the digits that ticks `step` apart need.
std::string tick_label(double value, double step);

}  // namespace memmatch::report
