#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "data/claims.h"

namespace memmatch::data {

// An evidence set as the official scorer sees it. `unreachable`: it names a sentence by null, which
// no prediction can contain. A set without any sentence is complete whatever is predicted.
struct GoldSet {
  EvidenceSet sentences;
  bool unreachable = false;
};

// Of a claim, what predictions are compared with. Unlike ClaimReader's claims, these keep what is
// odd about the evidence, since the official scorer's numbers depend on it, and need no text.
struct Gold {
  std::string id;  // empty where it has none
  Label label = Label::unverifiable;
  std::vector<GoldSet> evidence;  // not read for unverifiable claims

  bool verifiable() const { return label != Label::unverifiable; }
};

Gold to_gold(const Claim& claim);

class GoldReader {
 public:
  explicit GoldReader(const std::filesystem::path& file) : lines_(file) {}

  // False at the end; blank lines are passed over. Throws Error(corrupt) naming file, line and
  // field, also for a claim without label, and for a verifiable one without evidence.
  bool next(Gold& gold);

  std::string where() const { return lines_.where(); }

 private:
  LineReader lines_;
  JsonParser parser_;
  std::string line_;
};

}  // namespace memmatch::data
