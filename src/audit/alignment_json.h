#pragma once

#include <nlohmann/json.hpp>

#include "audit/alignment.h"

namespace memmatch::audit {

// The alignment as docs/cli.md describes it.
nlohmann::ordered_json to_json(const Alignment& alignment);

}  // namespace memmatch::audit
