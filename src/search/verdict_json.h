#pragma once

#include <nlohmann/json.hpp>

#include "memmatch/verifier.h"

namespace memmatch::search {

// The Verdict as docs/verdict.md describes it.
nlohmann::ordered_json to_json(const Verdict& verdict);

// As an element of its `evidence`, without what level 3 saw of it.
nlohmann::ordered_json found_json(const Evidence& evidence, std::size_t rank);

// As an element of its `exemplars.nearest`, without what only a verdict can say.
nlohmann::ordered_json to_json(const Exemplar& exemplar);

}  // namespace memmatch::search
