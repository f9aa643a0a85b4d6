#pragma once

#include <string>
#include <string_view>

#include "memmatch/types.h"

namespace memmatch {

ContentHash content_hash(std::string_view text);

// Lower-case hexadecimal.
std::string to_hex(const ContentHash& hash);

}  // namespace memmatch
