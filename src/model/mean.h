#pragma once

#include "model/model_files.h"

namespace memmatch {

// The model whose every number is weight × first's + (1 - weight) × second's: of two that were
// trained from the same one it may be better than either. Throws Error(invalid_argument) where the
// two differ in anything but their numbers, or `weight` is not from 0 to 1.
ModelData mean(const ModelData& first, const ModelData& second, double weight = 0.5);

}  // namespace memmatch
