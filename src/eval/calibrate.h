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
  // d2 of verifiable claims whose top is the chosen evidence; none where it is given with the claim
  std::vector<double> level2;
  std::vector<double> level3;            // d3 of claims whose label is right
  std::vector<audit::Outcome> outcomes;  // of all claims with candidates
};

// Throws as eval::evaluate().
MeasuredClaims measure(const std::filesystem::path& claims, Datastore& store,
                       const SearchClaims& search, const CalibrateOptions& options);

// The same of rows that bring their evidence. Throws as read_pairs().
MeasuredClaims measure_pairs(const std::filesystem::path& pairs, const SearchPairs& search,
                             const CalibrateOptions& options);
MeasuredClaims measure_symmetric(const std::filesystem::path& file, const SymmetricSet& set,
                                 const SearchGiven& search, const CalibrateOptions& options);

// The means and quantiles of the one, and a confidence fitted on all the others together, where
// there are any: each of them counts the same, however many claims it has. What was searched with
// is for the caller to fill in. Throws Error(invalid_argument) where no retrieval or no decision
// was right, or the confidence would be fitted on the claims that the means are of.
audit::Calibration calibrate(const MeasuredClaims& train, std::span<const MeasuredClaims> others);

}  // namespace memmatch::eval
