#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "support.h"

// Costs of contenders that take turns, round by round, and their ratios.

namespace memmatch::bench {

// What a claim costs: on the clock, and of the processors.
struct Cost {
  double clock = 0;
  double processors = 0;
};

using Rounds = std::vector<Cost>;

template <typename Work>
Cost cost_of(std::size_t claims, Work work) {
  Cost cost;
  cost.processors = processor_seconds([&] { cost.clock = seconds(work); });
  const auto count = static_cast<double>(claims);
  return {cost.clock / count, cost.processors / count};
}

// Of two settings, the better in each respect.
inline Cost better(const Cost& a, const Cost& b) {
  return {std::min(a.clock, b.clock), std::min(a.processors, b.processors)};
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

inline double median(const Rounds& rounds, double Cost::*which) {
  std::vector<double> values;
  for (const Cost& cost : rounds) values.push_back(cost.*which);
  return median(values);
}

struct Ratio {
  double clock, least, most, processors;
};

// How many times as much the first costs as the second.
inline Ratio ratio(const Rounds& first, const Rounds& second) {
  std::vector<double> clock, processors;
  for (std::size_t i = 0; i < first.size(); ++i) {
    clock.push_back(first[i].clock / second[i].clock);
    processors.push_back(first[i].processors / second[i].processors);
  }
  return {median(clock), *std::min_element(clock.begin(), clock.end()),
          *std::max_element(clock.begin(), clock.end()), median(processors)};
}

inline std::string text(const Ratio& r) {
  return fmt::format("{:.2f} times ({:.2f} to {:.2f}; in processor time {:.2f})", r.clock, r.least,
                     r.most, r.processors);
}

}  // namespace memmatch::bench
