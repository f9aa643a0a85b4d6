#pragma once

#include <span>
#include <vector>

#include "search/network.h"
#include "train/pairs.h"

// The search that opens an epoch: levels 1 and 2 over its claims, on the engine.

namespace memmatch::train {

// A beam for each of `claims` (indexes into the set), found with the network's weights.
std::vector<Beam> search_beams(const TrainingSet& set, std::span<const std::size_t> claims,
                               search::Network& network, const StageRecipe& stage,
                               const ProgressCallback& progress = {});

// The same by shared words, without a model: both levels in the order of
// TrainingClaim::by_overlap.
std::vector<Beam> overlap_beams(const TrainingSet& set, std::span<const std::size_t> claims,
                                const StageRecipe& stage);

}  // namespace memmatch::train
