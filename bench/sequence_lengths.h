#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace memmatch::bench {

// How many tokens the sequences of levels 1, 2 and 3 have, [CLS] and [SEP] included.
struct SequenceLengths {
  std::array<std::vector<std::int64_t>, 3> levels;
  std::vector<std::int64_t> level3_supports;  // level 3 without its queries
  bool are_real = false;                      // from the claims and sentences beside the repository
};

// `count` sequences for each level (reference §2.2): at level 1 mostly sentences of the datastore
// and some claims; at level 2 a claim and a sentence; at level 3 a label, a claim and a beam of 5
// sentences; and at both the queries that go with them. Real claims and sentences where they are
// there, else drawn from their recorded distribution.
SequenceLengths draw_sequence_lengths(std::size_t count);

}  // namespace memmatch::bench
