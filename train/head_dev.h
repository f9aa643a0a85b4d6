#pragma once

#include "data/claims.h"
#include "train/training_set.h"
#include "train/weights_in_training.h"

// How good the warm-up's head is on dev claims, with the words' ranking as evidence.

namespace memmatch::train {

// The dev claims `dev`, which are in the file's order, as training reads claims.
TrainingSet load_head_dev(const Recipe& recipe, const SequenceWriter& writer,
                          const std::vector<data::Claim>& dev);

// The part that the head gets right, with the first z sentences by shared words.
double head_accuracy_on_dev(const TrainingSet& dev, const SequenceWriter& sequences,
                            WeightsInTraining& weights, std::int64_t z, int workers);

}  // namespace memmatch::train
