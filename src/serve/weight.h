#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

// What work costs the engine. The queue counts in claims of k1 = 100, each of which is a hundred
// sequences of level 2; whatever else the engine does is counted by its sequences, too.

namespace memmatch::serve {

inline constexpr std::size_t kSequencesOfAClaim = 100;

inline std::size_t weight_of(std::size_t sequences) {
  return std::max<std::size_t>(1, (sequences + kSequencesOfAClaim - 1) / kSequencesOfAClaim);
}

// How many sequences a text of a client's own is worth, of which the engine reads as much as this.
// Measured with the shipped model, in sequences as a claim and a sentence make them.
inline constexpr std::size_t kBytesOfAPlainText = 2000;  // up to what an encoder can read
inline constexpr std::size_t kBytesOfASupport = 300;     // up to the length of a level's sequences
inline std::size_t sequences_of(std::string_view text, std::size_t bytes_read) {
  return 1 + std::min(text.size(), bytes_read) / 100;
}

// Two sequences, encoded apart from others, and their words.
inline constexpr std::size_t kSequencesOfAnAlignment = 3;

}  // namespace memmatch::serve
