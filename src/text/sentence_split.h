#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memmatch::text {

// The sentences of running text, English above all, tidied, none blank. A line break always ends a
// sentence: blocks.h joins the lines of paragraphs. Abbreviations, initials, decimals and quoted
// questions do not.
std::vector<std::string> split_sentences(std::string_view text);

// A sentence that has more than a model reads of one, in parts that it reads as a whole, cut where
// a clause begins as far as there is such a place; other sentences as they are. How many pieces a
// text has is the tokeniser's to say; here it is estimated.
std::vector<std::string> split_long_sentence(std::string_view sentence);

}  // namespace memmatch::text
