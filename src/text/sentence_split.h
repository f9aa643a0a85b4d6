#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memmatch::text {

// The sentences of running English text, tidied, none blank. A line break always ends a sentence;
// common abbreviations ("Mr.", "U.S.") do not (ICU's sentence rules with its list of exceptions).
std::vector<std::string> split_sentences(std::string_view text);

}  // namespace memmatch::text
