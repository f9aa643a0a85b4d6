#include "serve/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace memmatch::serve {

void Metrics::count(const std::string& route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  Latencies& latencies = latencies_[route];
  const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  ++latencies.counts[static_cast<std::size_t>(bucket)];
  latencies.sum += seconds;
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out =
      "# HELP memmatch_requests_total Answered requests.\n# TYPE memmatch_requests_total counter\n";
  const auto to = std::back_inserter(out);
  for (const auto& [key, count] : requests_) {
    fmt::format_to(to, "memmatch_requests_total{{route=\"{}\",code=\"{}\"}} {}\n", key.first,
                   key.second, count);
  }
  out +=
      "# HELP memmatch_request_seconds From the last byte of a request to its answer.\n"
      "# TYPE memmatch_request_seconds histogram\n";
  for (const auto& [route, latencies] : latencies_) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < latencies.counts.size(); ++i) {
      sum += latencies.counts[i];
      const std::string bound = i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf";
      fmt::format_to(to, "memmatch_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                     bound, sum);
    }
    fmt::format_to(to, "memmatch_request_seconds_sum{{route=\"{}\"}} {}\n", route, latencies.sum);
    fmt::format_to(to, "memmatch_request_seconds_count{{route=\"{}\"}} {}\n", route, sum);
  }
  return out;
}

std::string plain_metric(const char* type, const char* name, const char* help, double value) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
}

std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace memmatch::serve
