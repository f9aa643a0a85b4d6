#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memmatch::report {
namespace {

// What is nearer to a tick than this part of the step is on it.
constexpr double kSlack = 1e-6;

Range with_extent(Range range) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > 1e-9 * size) return range;
  if (size == 0) return {0, 1};
  return {range.low - 0.1 * size, range.high + 0.1 * size};
}

double nice_step(double extent, int about) {
  const double rough = extent / std::max(1, about);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - kSlack)) return factor * power;
  return 10 * power;
}

// The ticks number `first` to `last`, counted from the one at 0.
std::vector<double> ticks_from(double first, double last, double step) {
  std::vector<double> ticks;
  for (double i = first; i <= last; ++i) ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

// "2e-5" for 0.00002: C's way of writing it has a zero that only takes room.
std::string scientific(double value) {
  std::string label = fmt::format("{:.4g}", value);
  const std::size_t exponent = label.find('e');
  if (exponent != std::string::npos && label[exponent + 2] == '0') label.erase(exponent + 2, 1);
  return label;
}

}  // namespace

bool drawable(double value) { return std::isfinite(value) && std::abs(value) < 1e100; }

Axis tight_axis(Range range, int about) {
  Axis axis;
  axis.range = with_extent(range);
  axis.step = nice_step(axis.range.high - axis.range.low, about);
  axis.ticks = ticks_from(std::ceil(axis.range.low / axis.step - kSlack),
                          std::floor(axis.range.high / axis.step + kSlack), axis.step);
  return axis;
}

Axis wide_axis(Range range, int about) {
  Axis axis;
  range = with_extent(range);
  axis.step = nice_step(range.high - range.low, about);
  axis.ticks = ticks_from(std::floor(range.low / axis.step + kSlack),
                          std::ceil(range.high / axis.step - kSlack), axis.step);
  axis.range = {axis.ticks.front(), axis.ticks.back()};
  return axis;
}

std::string tick_label(double value, double step) {
  if (value == 0) return "0";
  if (step < 1e-4 || std::abs(value) >= 1e10) return scientific(value);
  for (const auto& [size, letter] : {std::pair(1e6, 'M'), std::pair(1e3, 'k')})
    if (step >= size) return fmt::format("{:g}{}", value / size, letter);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + kSlack)));
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace memmatch::report
