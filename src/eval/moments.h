#pragma once

#include <cmath>
#include <cstdint>

namespace memmatch::eval {

// Mean and population standard deviation of numbers that come one at a time (Welford's way).
class Moments {
 public:
  void add(double x) {
    ++count_;
    const double step = x - mean_;
    mean_ += step / static_cast<double>(count_);
    squares_ += step * (x - mean_);
  }

  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }  // 0 of nothing
  double deviation() const {
    return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_));
  }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace memmatch::eval
