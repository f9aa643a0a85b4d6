#pragma once

#include <span>
#include <string>
#include <vector>

#include "memmatch/verifier.h"
#include "search/network.h"

// Verdicts on evidence that the caller brings. They need no datastore.

namespace memmatch::search {

// See Verifier::verify_given.
std::vector<Verdict> verify_given(Network& network, std::span<const std::string> claims,
                                  std::span<const std::vector<GivenEvidence>> evidence,
                                  const SearchOptions& options);

// See Verifier::sentences_of.
std::vector<GivenEvidence> sentences_of(const SequenceWriter& writer, const GivenEvidence& text);

}  // namespace memmatch::search
