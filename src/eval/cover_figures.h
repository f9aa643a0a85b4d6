#pragma once

#include <cstdint>

#include "data/claims.h"
#include "memmatch/datastore.h"

namespace memmatch::eval {

// How much of the evidence is among a claim's candidates: what no later level can make up for.
struct CoverFigures {
  std::uint64_t claims = 0;
  std::uint64_t titles = 0;              // of candidates, summed over claims
  std::uint64_t sentences = 0;           // candidates, summed over claims
  std::uint64_t verifiable = 0;          // claims that have gold evidence
  std::uint64_t any_gold_title = 0;      // of these, with a covered title of some gold set
  std::uint64_t full_gold_set = 0;       // of these, with a complete gold set among the candidates
  std::uint64_t without_candidates = 0;  // claims
};

void count_cover(Datastore& store, const data::Claim& claim, CoverFigures& figures,
                 Candidates candidates = Candidates::cover);

}  // namespace memmatch::eval
