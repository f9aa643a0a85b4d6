#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace memmatch::serve {

// What /metrics tells of requests, in Prometheus' text format. Any thread may use it.
class Metrics {
 public:
  // An answered request; `route` is one of the router's names, so that there are few of them.
  void count(const std::string& route, int status, double seconds);

  std::string text() const;

 private:
  static constexpr std::array<double, 12> kBounds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                  0.5,   1,    2.5,   5,    10,  30};
  struct Latencies {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};  // the last one: beyond all bounds
    double sum = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Latencies> latencies_;
};

// "# TYPE …" and the value of a metric that has no labels.
std::string plain_metric(const char* type, const char* name, const char* help, double value);

// Of this process, in bytes.
std::uint64_t resident_memory();

}  // namespace memmatch::serve
