#pragma once

#include <string>
#include <string_view>

namespace memmatch::text {

// The dump writes seven characters as words: "-LRB-" for "(", "-COLON-" for ":", and so on. Gives
// the text with all of them written out.
std::string unescape_brackets(std::string_view text);

// A title as people write it: "Bones_-LRB-TV_series-RRB-" becomes "Bones (TV series)".
std::string display_title(std::string_view raw_title);

// What titles and claims are matched by. Of a title, the first parenthesis is left out, so that
// "Bones (TV series)" is found by the word "bones". Empty for a title without letters or digits
// ("!!!"), which no claim can reach.
std::string match_key(std::string_view display_title);

// The same for a claim, whose parentheses stay: they are the author's words.
std::string claim_key(std::string_view claim);

}  // namespace memmatch::text
