#pragma once

#include <string>

#include "data/claims.h"
#include "memmatch/datastore.h"

// The texts that stand for a claim in training, as the paper's preprocessing writes them (reference
// §1.6). The memory vocabulary is counted over them.

namespace memmatch::search {

// "Claim: …"
std::string query_text(const data::Claim& claim);

// "Supports: Claim: … Evidence: Title, sentence 3: … Evidence: …": the label, the claim and its
// chosen evidence as far as `store` has it. Without a store only the evidence that the claim brings
// itself is there. The claim must have a label.
std::string support_text(const data::Claim& claim, Datastore* store);

}  // namespace memmatch::search
