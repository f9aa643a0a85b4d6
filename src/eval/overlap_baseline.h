#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "eval/retrieval.h"
#include "memmatch/datastore.h"

namespace memmatch::eval {

// What can be had without a model: a claim's candidates ranked by the words that they share with
// it, rare words counting more. Retrieval has to be better than this to be worth anything.
//
// First every claim's words are noted, then one pass over the datastore counts in how many of its
// sentences each of them occurs. Only words of claims are kept, so memory follows the claims'
// vocabulary, not the datastore.
class OverlapBaseline {
 public:
  void note_words(std::string_view claim);

  // Call once, after the last note_words.
  void count(Datastore& store, const ProgressCallback& progress = {});

  // The cover's sentences, best first; ties by smaller id. A sentence's score is the summed
  // ln((N + 1) / (n + 1)) of the distinct words that it or its title shares with the claim, N being
  // the datastore's sentences and n those with the word. Long sentences are not held back: dividing
  // by any power of the length made the ranking worse on FEVER.
  std::vector<RankedSentence> rank(Datastore& store, std::string_view claim,
                                   const Cover& cover) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Counts = std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>>;

  Counts sentences_with_;  // by word
  std::uint64_t sentences_ = 0;
};

}  // namespace memmatch::eval
