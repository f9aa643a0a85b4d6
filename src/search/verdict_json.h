#pragma once

#include <nlohmann/json.hpp>

#include "memmatch/verifier.h"

namespace memmatch::search {

// The Verdict as docs/verdict.md describes it.
nlohmann::ordered_json to_json(const Verdict& verdict);

}  // namespace memmatch::search
