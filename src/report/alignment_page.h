#pragma once

#include <span>
#include <string>
#include <vector>

#include "audit/alignment.h"
#include "report/html.h"

namespace memmatch::report {

// What to show of a claim.
struct AlignedClaim {
  std::string claim;
  Label label = Label::unverifiable;
  std::vector<audit::Alignment> alignments;
};

// A page on which pointing at a word shows the words that it is linked with, both ways. The only
// page with a script: without it, the strongest links can still be read in a table.
Page alignment_page(std::span<const AlignedClaim> claims);

}  // namespace memmatch::report
