#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace memmatch::cli {

// What help shows: the verbs of a program or verb, its options and its arguments.
std::vector<const CLI::App*> verbs_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);
std::vector<const CLI::Option*> arguments_of(const CLI::App& app);

// "--store".
std::string name_of(const CLI::Option& option);

// What an option or argument takes, told from the words by which help says it: FILE, PATH, FOLDER,
// "fp32|int8".
struct Taken {
  enum class Kind { nothing, file, folder, choice, other } kind = Kind::nothing;
  std::string word;                  // as help has it
  std::vector<std::string> choices;  // those that can be written as they are
  bool several = false;
};
Taken taken_by(const CLI::Option& option);

}  // namespace memmatch::cli
