#pragma once

#include <CLI/CLI.hpp>
#include <span>

namespace memmatch::cli {

// What is wrong with a command line that could not be parsed, for people: names the verb or option
// that there is not, before anything that is missing because of it, and the nearest that there is.
std::string usage_error(const CLI::App& program, const CLI::ParseError& error,
                        std::span<char* const> arguments);

}  // namespace memmatch::cli
