#pragma once

#include <filesystem>
#include <vector>

#include "audit/calibration.h"
#include "eval/evaluate.h"

// Measuring what a model's distances are like where it is right (reference §7).

namespace memmatch::eval {

struct CalibrateOptions {
  std::size_t batch = 256;   // claims that are searched together
  std::uint64_t sample = 0;  // of each file so many claims, spread evenly; 0 is all
  ProgressCallback progress;
};

// Verdicts on labelled claims, as far as calibration needs them.
struct MeasuredClaims {
  audit::ClaimSource source;
  std::vector<double> level2;            // d2 of verifiable claims whose top is the chosen evidence
  std::vector<double> level3;            // d3 of claims whose label is right
  std::vector<audit::Outcome> outcomes;  // of all claims with candidates
};

// Throws as eval::evaluate().
MeasuredClaims measure(const std::filesystem::path& claims, Datastore& store,
                       const SearchClaims& search, const CalibrateOptions& options);

// The means and quantiles of the one, and a confidence fitted on the other, where there is one;
// what was searched with is for the caller to fill in. Throws Error(invalid_argument) where no
// retrieval or no decision was right, or both are the same claims.
audit::Calibration calibrate(const MeasuredClaims& train, const MeasuredClaims* dev);

}  // namespace memmatch::eval
