#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/claims.h"

namespace memmatch::data {

// A claim that brings its evidence.
struct Pair {
  Claim claim;                          // its text and label
  std::vector<GivenEvidence> evidence;  // texts as they were given, none of them blank
  std::string source;                   // where the pair is from; empty where the file does not say
  std::string kind;                     // what it tests; likewise
};

// Reads pairs line by line (docs/file_formats.md): `claim`, `evidence` (a text or a list of texts),
// `label`, and where they are there `title` (a text, or a list with one for each text of the
// evidence), `source` and `kind`. Texts under one title are sentences of one document, numbered
// from 0; those with titles of their own are each the first.
class PairReader {
 public:
  explicit PairReader(const std::filesystem::path& file) : lines_(file) {}

  // False at the end. Throws Error(corrupt) naming file, line and field of a bad line.
  bool next(Pair& pair);

 private:
  LineReader lines_;
  JsonParser parser_;
  std::string line_;
};

}  // namespace memmatch::data
