#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/claims.h"
#include "memmatch/datastore.h"

// Examples whose label follows from the evidence and from nothing else, made from supported claims
// by exchanging a fact for another of its kind: what a model knows of the world, or of how refuted
// claims are worded, does not help with them.

namespace memmatch::eval {

struct ExchangedPair {
  std::string claim;
  std::string title;  // of the document
  int number = 0;     // of the sentence
  std::string sentence;
  Label label = Label::unverifiable;
  std::string made;  // how: "same", "claim", "evidence", "both", "left out", "elsewhere"
};

struct ExchangedPairsOptions {
  std::size_t facts = 2;  // of a claim that are exchanged, at most
  std::uint64_t seed = 1;
};

// Of each supported claim with a gold set of one sentence that the datastore has, in the claims'
// order. A fact is exchanged that both state and the document's title does not:
//   in the claim, in the evidence: refuted;  in both, in neither: supported;
//   left out of the evidence, or another sentence of the document instead: unverifiable.
// The same claims, datastore and seed give the same pairs.
std::vector<ExchangedPair> exchanged_pairs(std::span<const data::Claim> claims, Datastore& store,
                                           const ExchangedPairsOptions& options,
                                           const ProgressCallback& progress = {});

// A line of a file that `data.pairs` of a recipe reads: {claim, evidence, label, source}.
std::string to_line(const ExchangedPair& pair);

}  // namespace memmatch::eval
