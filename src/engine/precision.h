#pragma once

namespace memmatch::engine {

// How the matrix products of the encoder are calculated. Everything between them (softmax, layer
// norms, GELU) is fp32 in both.
enum class Precision { fp32, int8 };

}  // namespace memmatch::engine
