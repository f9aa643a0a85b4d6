#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/confidence.h"
#include "engine/precision.h"
#include "memmatch/types.h"

// What a model's distances are like where it is right: measured once by `memmatch calibrate`, kept
// in `calibration.json` beside the weights (docs/file_formats.md).

namespace memmatch::audit {

// Of a level's distances: mean and population standard deviation, and quantiles.
struct DistanceStatistics {
  std::uint64_t count = 0;
  double mean = 0;
  double deviation = 0;
  // The quantiles 0, 0.01 … 1, ascending.
  std::vector<double> quantiles;

  // Linear between the table's values; `q` is from 0 to 1.
  double quantile(double q) const;
};

inline constexpr std::size_t kQuantiles = 101;

// Of nothing: all zero.
DistanceStatistics statistics_of(std::vector<double> distances);

// Claims that something was measured on.
struct ClaimSource {
  std::string file;         // its name, without folders
  std::string hash;         // of its content, in hexadecimal
  std::uint64_t used = 0;   // claims that were searched for
  std::uint64_t total = 0;  // claims in the file
};

struct Calibration {
  ContentHash model{};  // the model's fingerprint, whatever the precision
  engine::Precision precision = engine::Precision::fp32;
  int k1 = 0;
  int z = 0;
  bool two_class = false;
  bool all = false;  // level 1 looked at the whole datastore
  ClaimSource train;
  // d2 where the top of level 2 is the chosen evidence, and d3 where the label is right (reference
  // §7).
  DistanceStatistics level2;
  DistanceStatistics level3;
  // Fitted on other claims than the means, of one or more kinds, where there were such.
  std::vector<ClaimSource> fitted_on;
  std::optional<Confidence> confidence;
};

// That the calibration was measured with another search than this one, for people; none where it
// fits. (That model and precision fit is what read_calibration() sees to.)
std::optional<std::string> other_search(const Calibration& calibration,
                                        const SearchOptions& search);

// `calibration.json` in the folder of a model, which is given as its folder or weights file.
std::filesystem::path calibration_file(const std::filesystem::path& model);

// The calibration of this model in this precision. Throws Error: not_found where there is none,
// invalid_argument where it is of another model, both saying how to make one; corrupt, naming file
// and field; unsupported for another version.
Calibration read_calibration(const std::filesystem::path& model, const ContentHash& fingerprint,
                             engine::Precision precision);

// The same, or none where there is no calibration of this model and precision.
std::optional<Calibration> find_calibration(const std::filesystem::path& model,
                                            const ContentHash& fingerprint,
                                            engine::Precision precision);

// Writes it atomically. What the file says of the same model's other precision is kept; what it
// says of another model goes.
void write_calibration(const std::filesystem::path& model, const Calibration& calibration);

}  // namespace memmatch::audit
