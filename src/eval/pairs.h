#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/pairs.h"
#include "eval/confusion.h"
#include "eval/labelled_claims.h"
#include "memmatch/verifier.h"

// Claims that bring their evidence, of whatever source: how good level 3 is by itself.

namespace memmatch::eval {

struct PairSet {
  std::vector<data::Pair> pairs;  // those that are taken, in the file's order
  bool two_class = false;
  std::uint64_t total = 0;     // rows of the file, up to the choice's limit
  std::uint64_t left_out = 0;  // of these unverifiable ones, where there are two classes
};

// Throws Error(corrupt) naming file and line of a row that cannot be used, and for a file that
// leaves none.
PairSet read_pairs(const std::filesystem::path& file, bool two_class, const ClaimChoice& choice);

struct PairFigures {
  Confusion all{};
  std::map<std::string, Confusion> sources;  // of the pairs that name theirs
  std::map<std::string, Confusion> kinds;
  std::uint64_t sentences = 0;  // of evidence, long texts being split
  std::uint64_t cut = 0;        // claims with more evidence than level 3 could read
};

// By what level 3 decided, whatever exemplars have made of it.
void count_pair(const data::Pair& pair, const Verdict& verdict, PairFigures& figures);

// The label that is right most often when it is always given; the first of equals.
Label majority(const Confusion& confusion);

}  // namespace memmatch::eval
