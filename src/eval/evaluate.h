#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "data/claims.h"
#include "eval/metrics.h"
#include "eval/pairs.h"
#include "eval/symmetric.h"
#include "memmatch/verifier.h"

// Running a search over claim files and turning its verdicts into figures. The search comes as a
// function that takes several claims at once, so that it can batch them across levels; the figures
// need verdicts with beams (SearchOptions::explain).

namespace memmatch::eval {

// A verdict for each claim, in their order.
using SearchClaims = std::function<std::vector<Verdict>(std::span<const data::Claim>)>;

// For each claim, in their order, a verdict for each setting, in theirs.
using SearchSettings = std::function<std::vector<std::vector<Verdict>>(
    std::span<const data::Claim>, std::span<const SearchOptions>)>;

// A verdict for each row, from the evidence that it brings; for a symmetric set's between two
// labels.
using SearchGiven = std::function<std::vector<Verdict>(std::span<const SymmetricRow>)>;

using SearchPairs = std::function<std::vector<Verdict>(std::span<const data::Pair>)>;

struct EvaluateOptions {
  std::size_t batch = 256;  // claims that are searched together
  ClaimChoice choice;       // of the file's claims; pairs are chosen when they are read
  bool overlap = true;      // also measure the word-overlap baseline
  ProgressCallback progress;
  // Hears of every verdict, in the order of the claims.
  std::function<void(const data::Claim&, const Verdict&)> visit;
};

// Claims are read twice, so `claims` must be a file. Throws Error(corrupt) naming file and line of
// a claim without label, before anything is searched.
Figures evaluate(const std::filesystem::path& claims, Datastore& store, const SearchClaims& search,
                 const EvaluateOptions& options);

// The same with several settings of k1 and z at once (the paper's Table 2); figures for each, in
// their order. `options.visit` is not called.
std::vector<Figures> sweep(const std::filesystem::path& claims, Datastore& store,
                           std::span<const SearchOptions> settings, const SearchSettings& search,
                           const EvaluateOptions& options);

// Every pair of k1 and z, by k1 first.
std::vector<SearchOptions> sweep_settings(std::span<const int> k1, std::span<const int> z,
                                          const SearchOptions& rest);

SymmetricFigures evaluate_symmetric(const SymmetricSet& set, const SearchGiven& search,
                                    const EvaluateOptions& options);

PairFigures evaluate_pairs(const PairSet& set, const SearchPairs& search,
                           const EvaluateOptions& options);

}  // namespace memmatch::eval
