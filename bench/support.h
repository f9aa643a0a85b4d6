#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace memmatch::bench {

// Seconds that `work` takes.
template <typename Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Processor time that `work` takes, of all threads together: what a machine that others use as well
// leaves comparable.
template <typename Work>
double processor_seconds(Work work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

// Machines are noisy: the best of several times is the one least disturbed.
struct Best {
  double value = std::numeric_limits<double>::infinity();
  void add(double time) { value = std::min(value, time); }
};

inline void print_ratio(const std::string& what, double ratio, double limit) {
  fmt::print("{}: {:.2f} times (at most {:.1f}: {})\n", what, ratio, limit,
             ratio <= limit ? "holds" : "DOES NOT HOLD");
}

// Largest resident size of this process so far, in MB.
inline double peak_resident_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

// Runs `work` in a process of its own, whose memory is not ours.
template <typename Work>
void in_another_process(Work work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    int status = 0;
    try {
      work();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      status = 1;
    }
    std::fflush(nullptr);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("a part of the benchmark failed");
}

inline std::filesystem::path shared_wiki_pages() {
  return std::filesystem::path(MEMMATCH_SOURCE_DIR).parent_path() / "shared" / "data" /
         "fever-reduced" / "wiki-pages";
}

// A folder for the run, gone afterwards.
class Scratch {
 public:
  Scratch()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("memmatch-bench-{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Made-up words that occur as words do: few often, most seldom.
class Words {
 public:
  explicit Words(std::uint64_t seed) : random_(seed) {}

  std::string next(std::uint64_t vocabulary) {
    const double u = static_cast<double>(random_() >> 11) * 0x1p-53;
    return spell(static_cast<std::uint64_t>(static_cast<double>(vocabulary) * u * u));
  }

  std::uint64_t number(std::uint64_t below) { return random_() % below; }

 private:
  static std::string spell(std::uint64_t n) {
    static constexpr std::string_view kOnsets = "bdfgklmnprstvz";
    static constexpr std::string_view kVowels = "aeiou";
    std::string word;
    for (n += 70; n > 0; n /= 70) {
      word += kOnsets[n % 70 / 5];
      word += kVowels[n % 5];
    }
    return word;
  }

  std::mt19937_64 random_;
};

}  // namespace memmatch::bench
