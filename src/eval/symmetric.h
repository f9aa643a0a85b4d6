#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/claims.h"
#include "eval/confusion.h"
#include "eval/moments.h"
#include "memmatch/datastore.h"
#include "memmatch/verifier.h"

// The symmetric sets (Schuster et al.): claims that bring their evidence, in groups around a claim
// of FEVER, the parent. The id says what was done to the parent's pair.

namespace memmatch::eval {

enum class SymmetricKind {
  original,          // id of the parent
  changed_evidence,  // id + 0000002: same claim, other evidence, other label
  changed_claim,     // id + 0000003: other claim, same evidence, other label
  changed_both,      // id + 0000004: other claim and evidence, same label
};

// How a group's title and sentence number were found again.
enum class FoundBy {
  gold,    // among the parent's gold evidence
  cover,   // the parent is not in the claim files: the most similar sentence that its words reach
  nobody,  // neither: the evidence has no title
};

struct SymmetricRow {
  data::Claim claim;
  std::string parent;  // its id
  SymmetricKind kind = SymmetricKind::original;
  bool evidence_changed = false;  // its evidence is not the group's original text
  // What the search is given: the row's own text under the title and number of the original.
  Evidence evidence;
};

struct SymmetricSet {
  std::vector<SymmetricRow> rows;  // in the file's order
  std::uint64_t groups = 0;
  std::array<std::uint64_t, 3> found_by{};  // groups, by FoundBy
  // Groups whose sentence in the datastore is less than 0.95 similar to the original evidence.
  std::uint64_t dissimilar = 0;
  // Rows whose id's ending says otherwise than their texts of whether the evidence was changed.
  std::uint64_t disagreeing_ids = 0;
};

// Reads a symmetric set, of either version, and looks up where its evidence comes from. `claims`
// are FEVER claim files that may contain the parents. Throws Error(corrupt) naming file and line
// for rows without id, label or evidence, and for unverifiable ones.
SymmetricSet read_symmetric(const std::filesystem::path& file,
                            const std::vector<std::filesystem::path>& claims, Datastore& store);

struct Share {
  std::uint64_t claims = 0;
  std::uint64_t right = 0;
};

struct SymmetricFigures {
  Share all;
  Share unchanged;  // rows whose evidence is the original text
  Share changed;
  std::array<Share, 4> by_kind;  // by SymmetricKind
  Confusion confusion{};
  Moments level2_right, level2_wrong, level3_right, level3_wrong;
};

// By what level 3 decided, whatever exemplars have made of it.
void count_symmetric(const SymmetricRow& row, const Verdict& verdict, SymmetricFigures& figures);

}  // namespace memmatch::eval
