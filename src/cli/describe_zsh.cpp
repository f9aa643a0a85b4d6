#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/describe.h"
#include "cli/verb_tree.h"

namespace memmatch::cli {
namespace {

// Text between single quotes, with what _arguments takes for its own escaped.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result;
}

// ":FILE:_files".
std::string value(const Taken& taken) {
  switch (taken.kind) {
    case Taken::Kind::nothing:
      return {};
    case Taken::Kind::file:
      return fmt::format(":{}:_files", escaped(taken.word));
    case Taken::Kind::folder:
      return fmt::format(":{}:_files -/", escaped(taken.word));
    case Taken::Kind::choice:
      return fmt::format(":value:({})", fmt::join(taken.choices, " "));
    case Taken::Kind::other:
      return fmt::format(":{}: ", escaped(taken.word));
  }
  return {};
}

std::string specification(const CLI::Option& option) {
  const Taken taken = taken_by(option);
  if (option.get_positional()) return fmt::format("'{}{}'", taken.several ? "*" : "", value(taken));
  return fmt::format("'{}{}[{}]{}'", taken.several ? "*" : "", name_of(option),
                     escaped(option.get_description()), value(taken));
}

// A function for the verb, and before it those for the verbs below.
std::string function_of(const CLI::App& verb, const std::string& name) {
  std::string below;
  std::string described;
  std::string calls;
  for (const CLI::App* one : verbs_of(verb)) {
    const std::string inner = name + "_" + one->get_name();
    below += function_of(*one, inner);
    described += fmt::format("      '{}:{}'\n", one->get_name(), escaped(one->get_description()));
    calls += fmt::format("      {}) {} ;;\n", one->get_name(), inner);
  }
  std::string text = below + name + "() {\n";
  if (!calls.empty()) text += "  local state line\n";
  text += calls.empty() ? "  _arguments" : "  _arguments -C";
  for (const CLI::Option* option : options_of(verb)) text += " \\\n    " + specification(*option);
  for (const CLI::Option* argument : arguments_of(verb))
    text += " \\\n    " + specification(*argument);
  if (verb.get_prefix_command()) text += " \\\n    '*:FILE:_files'";
  if (calls.empty()) return text + "\n}\n\n";
  return text + " \\\n    '1:verb:->verb' '*::argument:->rest'\n" +
         "  case $state in\n    verb)\n      local -a verbs=(\n" + described +
         "      )\n      _describe verb verbs ;;\n" + "    rest) case $line[1] in\n" + calls +
         "    esac ;;\n  esac\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  return "#compdef memmatch\n# Made from memmatch's help.\n\n" + function_of(program, "_memmatch") +
         "_memmatch \"$@\"\n";
}

}  // namespace memmatch::cli
