#pragma once

#include <span>
#include <vector>

#include "data/pairs.h"
#include "eval/symmetric.h"
#include "memmatch/verifier.h"

// Rows that bring their evidence, as Verifier::verify_given takes it: a verdict for each, in their
// order.

namespace memmatch::eval {

// Evidence that was changed counts as edited.
std::vector<Verdict> verify_given(Verifier& verifier, std::span<const SymmetricRow> rows,
                                  const SearchOptions& search);

// Long texts are split into sentences.
std::vector<Verdict> verify_given(Verifier& verifier, std::span<const data::Pair> pairs,
                                  const SearchOptions& search);

}  // namespace memmatch::eval
