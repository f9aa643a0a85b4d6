#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memmatch::text {

// The greatest key of a sorted set, in byte order, that is not greater than `bound`.
using FloorKey = std::function<std::optional<std::string>(std::string_view bound)>;

// The lexical cover of a claim (paper §4.1): for every word of the claim key, the longest run of
// words from there on that is a title's key. At most one key for each starting word; matches may
// overlap and nest. The keys come in the order of their starting words and may repeat.
//
// Needs only `floor` of the set of keys, so a B-tree serves, and a handful of look-ups for each
// word whatever the longest title is: every key that is a prefix of the rest of the claim is also a
// prefix of floor(rest), so the search goes on with what the two have in common.
std::vector<std::string> covering_keys(std::string_view claim_key, const FloorKey& floor);

}  // namespace memmatch::text
