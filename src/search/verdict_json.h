#pragma once

#include <nlohmann/json.hpp>

#include "memmatch/check.h"
#include "memmatch/verifier.h"

namespace memmatch::search {

// The Verdict as docs/verdict.md describes it.
nlohmann::ordered_json to_json(const Verdict& verdict);

// A sentence of a text: `text`, and its `verdict` or why it is `not_judged`.
nlohmann::ordered_json to_json(const CheckedSentence& sentence);

// As an element of its `evidence`, without what level 3 saw of it.
nlohmann::ordered_json found_json(const Evidence& evidence, std::size_t rank);

// As an element of its `exemplars.nearest`, without what only a verdict can say.
nlohmann::ordered_json to_json(const Exemplar& exemplar);

}  // namespace memmatch::search
