#pragma once

#include <span>
#include <vector>

#include "train/pair_sources.h"
#include "train/pairs.h"
#include "train/recipe.h"
#include "train/step_batch.h"

// What a step trains on: its claims, some of them without their evidence, and pairs of other
// sources. Everything that is drawn follows from the recipe's seed and the step, so that a run that
// was interrupted goes on as if it had not been.

namespace memmatch::train {

// How many examples of the sources a step with so many claims adds.
std::size_t examples_beside(const StageRecipe& stage, std::size_t claims);

// Which of a step's claims are seen without their evidence, where they have any.
std::vector<bool> draw_withheld(const StageRecipe& stage, std::uint64_t seed, std::int64_t step,
                                std::size_t claims);

// `claims` are indexes into the set, `beams` what the search found for them.
StepBatch draw_batch(const TrainingSet& set, const std::vector<PairSource>& sources,
                     const SequenceWriter& sequences, const Recipe& recipe,
                     const StageRecipe& stage, std::int64_t step,
                     std::span<const std::size_t> claims, std::span<const Beam> beams);

}  // namespace memmatch::train
