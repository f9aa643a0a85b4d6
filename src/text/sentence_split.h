#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memmatch::text {

// The sentences of running English text, tidied, none blank. A line break always ends a sentence;
// common abbreviations ("Mr.", "U.S.") and initials do not.
std::vector<std::string> split_sentences(std::string_view text);

}  // namespace memmatch::text
