#pragma once

#include <cstdint>

namespace memmatch {

// The bytes that this machine has, or those that a container leaves to it.
std::uint64_t machine_memory();

}  // namespace memmatch
