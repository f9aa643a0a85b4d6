#pragma once

#include <optional>
#include <string_view>

namespace memmatch::text {

// Why a text states nothing that could be true or false, to be said behind "it": "is a question",
// "looks like the name of a file". None where it may be a statement. Looks at its form alone.
std::optional<std::string_view> why_no_statement(std::string_view text);

}  // namespace memmatch::text
