#pragma once

#include <span>

#include "memmatch/audit.h"

// The rules of exemplar auditing, on neighbours that are sorted from near to far.

namespace memmatch::audit {

// Whether the nearest exemplar is a true positive for a label; of several, more than half of them.
// Without any it is not.
bool mostly_true_positive(Label label, std::span<const NearExemplar> neighbours);

// ExA_update: the right label of the nearest, or the most frequent one. There must be a neighbour.
Label voted_label(std::span<const NearExemplar> neighbours);

// Whether the datastore has changed under a verdict (paper §5): its nearest evidence is not the
// text that was imported. That one is what level 2's difference vector is made from; sentences of
// lower rank often have nothing to do with the claim.
bool evidence_changed(const Verdict& verdict);

}  // namespace memmatch::audit
