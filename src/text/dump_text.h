#pragma once

#include <string>
#include <string_view>

namespace memmatch::text {

// Joins the tokens of an English sentence (between white space) as Moses does: no blank before a
// comma, quotation marks attached to what they enclose, " @-@ " back to a hyphen, XML entities of
// the tokeniser undone.
std::string detokenize(std::string tokenized);

// A sentence of the FEVER dump (tokenised, brackets written as words) as natural text. Text that
// never was tokenised comes out nearly as it went in.
std::string clean_dump_sentence(std::string_view sentence);

}  // namespace memmatch::text
