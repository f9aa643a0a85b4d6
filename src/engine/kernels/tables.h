#pragma once

#include "engine/kernels/kernels.h"

namespace memmatch::engine {

// One for each `kernels_*.cpp`.
extern const Kernels kGenericKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;

}  // namespace memmatch::engine
