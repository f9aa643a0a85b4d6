#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace memmatch::cli {

// What the program's help says, in the forms that other programs read.
std::string man_page(const CLI::App& program);         // for man, in section 1
std::string bash_completion(const CLI::App& program);  // a script for bash to read
std::string zsh_completion(const CLI::App& program);   // the function _memmatch for zsh

}  // namespace memmatch::cli
