#pragma once

#include <string_view>

namespace memmatch::train {

// How the encoder's matrix products are computed in training. bf16: the factors are rounded to
// bfloat16, sums and results are fp32, as are the weights themselves, their gradients and all else;
// twice as fast where the processor has instructions for it.
enum class Arithmetic { fp32, bf16 };

bool processor_has_bf16();

// "fp32", "bf16" or "auto": bf16 where the processor has it. Throws Error(unsupported) for bf16
// where it has not.
Arithmetic parse_arithmetic(std::string_view name);

}  // namespace memmatch::train
