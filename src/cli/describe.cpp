#include "cli/describe.h"

#include <fmt/format.h>

#include "cli/checks.h"
#include "cli/common.h"
#include "cli/verbs.h"

namespace memmatch::cli {
namespace {

enum class Form { man, bash, zsh };

std::string text_in(Form form, const CLI::App& program) {
  switch (form) {
    case Form::man:
      return man_page(program);
    case Form::bash:
      return bash_completion(program);
    case Form::zsh:
      return zsh_completion(program);
  }
  return {};
}

}  // namespace

// For the build, and for whoever runs the program where it was built: help does not show it.
void add_describe(CLI::App& program) {
  auto form = std::make_shared<Form>();
  CLI::App* verb = add_verb(program, "describe", "The manual page, or a shell's completion",
                            "memmatch describe man | man -l -\n"
                            "source <(memmatch describe bash)");
  const std::map<std::string, Form> names{
      {"man", Form::man}, {"bash", Form::bash}, {"zsh", Form::zsh}};
  verb->group("");
  verb->add_option("FORM", *form, "What to print")
      ->required()
      ->transform(choice(names))
      ->option_text("man|bash|zsh");
  verb->callback([&program, form] { fmt::print("{}", text_in(*form, program)); });
}

}  // namespace memmatch::cli
