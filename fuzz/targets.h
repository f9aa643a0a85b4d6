#pragma once

#include <cstddef>
#include <span>

// What a fuzzer does with one input. The tests replay the kept inputs through the same functions.
// Any input must end in an accepted file or a memmatch::Error; a broken promise aborts.

namespace memmatch::fuzz {

// A safetensors file: the header, and then every tensor that can hold weights.
void safetensors(std::span<const std::byte> input);

// A model's config.json.
void config(std::span<const std::byte> input);

}  // namespace memmatch::fuzz
