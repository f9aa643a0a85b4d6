#include "cli/usage.h"

#include <fmt/format.h>

#include "cli/suggest.h"
#include "cli/verb_tree.h"

namespace memmatch::cli {
namespace {

using Verbs = std::vector<const CLI::App*>;

std::vector<std::string> names_of(const Verbs& verbs) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool is_option(const std::string& argument) {
  return argument.size() > 1 && argument[0] == '-' &&
         argument.find_first_not_of("-.0123456789") != std::string::npos;
}

// As far as the command line makes sense: the verb it is for, and what there is not, if anything.
struct Reading {
  const CLI::App* app;
  std::string path;
  std::string unknown = {};
};

Reading read(const CLI::App& program, std::span<char* const> arguments) {
  Reading reading{&program, program.get_name()};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string argument = arguments[i];
    if (argument == "--" || reading.app->get_prefix_command()) break;
    if (is_option(argument)) {
      const std::string name = argument.substr(0, argument.find('='));
      const CLI::Option* option = reading.app->get_option_no_throw(name);
      if (!option) {
        reading.unknown = fmt::format("there is no option '{}'{}", name,
                                      suggestion(name, option_names(*reading.app)));
        break;
      }
      if (option->get_items_expected_min() > 0 && name == argument) ++i;  // its value
      continue;
    }
    const Verbs verbs = verbs_of(*reading.app);
    if (verbs.empty()) continue;  // an argument of the verb
    const auto verb = std::find_if(verbs.begin(), verbs.end(),
                                   [&](const CLI::App* v) { return v->get_name() == argument; });
    if (verb == verbs.end()) {
      reading.unknown =
          fmt::format("there is no verb '{}'{}", argument, suggestion(argument, names_of(verbs)));
      break;
    }
    reading.app = *verb;
    reading.path += " " + argument;
  }
  return reading;
}

}  // namespace

std::string usage_error(const CLI::App& program, const CLI::ParseError& error,
                        std::span<char* const> arguments) {
  const Reading reading = read(program, arguments);
  std::string message = reading.unknown;
  if (message.empty() && !verbs_of(*reading.app).empty())
    message =
        fmt::format("a verb is missing: {}", fmt::join(names_of(verbs_of(*reading.app)), ", "));
  if (message.empty()) message = error.what();
  return fmt::format("{}: {}\n'{} --help' shows how it is used\n", reading.path, message,
                     reading.path);
}

}  // namespace memmatch::cli
