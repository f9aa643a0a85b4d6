#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

// What a training run has written about itself: metrics.jsonl in its folder, as
// docs/file_formats.md describes it.

namespace memmatch::report {

inline constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// A number for each level; NaN where there is none.
using PerLevel = std::array<double, 3>;
inline constexpr PerLevel kNoLevels = {kAbsent, kAbsent, kAbsent};

// What lines of both kinds begin with.
struct RunPlace {
  double time = kAbsent;  // seconds since 1970
  std::int64_t stage = 1;
  std::int64_t epoch = 0;
  std::int64_t step = 0;  // through the whole run
  std::string kind;       // "warmup", "memory", "encoder", "joint"
};

struct StepMetrics {
  RunPlace place;
  double loss = kAbsent;
  PerLevel losses = kNoLevels;
  PerLevel uninformed = kNoLevels;  // what a level that has learned nothing would show
  double head_loss = kAbsent;
  double lr_memory = kAbsent;
  double lr_encoder = kAbsent;
  double claims_per_second = kAbsent;
};

// Fractions from 0 to 1.
struct RetrievalMetrics {
  double strict = kAbsent;
  double complete = kAbsent;
};

struct DevMetrics {
  std::int64_t claims = 0;
  double accuracy = kAbsent;
  double fever_score = kAbsent;
  RetrievalMetrics level1;
  RetrievalMetrics level2;
  PerLevel distances = kNoLevels;
  double head_accuracy = kAbsent;
  // [gold][decision]: supports, refutes, unverifiable.
  std::optional<std::array<std::array<std::int64_t, 3>, 3>> confusion;
};

struct EpochMetrics {
  RunPlace place;
  double loss = kAbsent;
  PerLevel losses = kNoLevels;
  PerLevel uninformed = kNoLevels;
  double search_seconds = kAbsent;
  double steps_seconds = kAbsent;
  double dev_seconds = kAbsent;
  std::optional<DevMetrics> dev;
  bool best = false;  // of the epochs so far
};

struct RunMetrics {
  std::vector<StepMetrics> steps;
  std::vector<EpochMetrics> epochs;
  bool cut_off = false;  // the last line was incomplete and was left out

  // The best epoch so far; nullptr where none was.
  const EpochMetrics* best() const;
};

// Reads `file`, a metrics.jsonl. Where a run was stopped and resumed at an earlier step, what it
// wrote again counts. An incomplete last line is left out, as a run that is still going, or that
// was killed, leaves it; any other line that is not as it must be is an Error(corrupt).
RunMetrics read_run_metrics(const std::filesystem::path& file);

}  // namespace memmatch::report
