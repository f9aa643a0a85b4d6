#pragma once

#include <span>
#include <vector>

#include "search/levels.h"

// From what levels 1 and 2 kept to verdicts.

namespace memmatch::search {

// What level 3 decides on: one decision for each distinct set of evidence; cells often share one.
struct Decisions {
  std::vector<Decision> distinct;
  std::vector<std::vector<std::size_t>> of_cell;  // by claim and cell, indexes into `distinct`

  // The evidence of a cell: of the k1 nearest at level 1, the z nearest at level 2. `queries` must
  // stay where they are.
  Decisions(std::span<const Query> queries, std::span<const SweepCell> cells);
};

// Level 3. Claims without any evidence are not decided, unless none was asked for.
void decide(Network& network, std::vector<Decision>& decisions, const SearchOptions& options);

// Writes claim, label, distances and evidence into the verdict; of the evidence what can be told
// without a datastore.
void fill(Verdict& verdict, const Network& network, const Query& query, const Decision& decision,
          const SearchOptions& options);

}  // namespace memmatch::search
