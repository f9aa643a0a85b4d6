#include "cli/verb_tree.h"

#include "cli/common.h"

#include <algorithm>
#include <cctype>

namespace memmatch::cli {
namespace {

std::vector<const CLI::Option*> shown(const CLI::App& app, bool arguments) {
  return app.get_options([arguments](const CLI::Option* option) {
    return option->get_positional() == arguments && !option->get_group().empty();
  });
}

// The first word of what help says beside an option's name, without its default value. An argument
// that is called by what it is has no other.
std::string word_of(const CLI::Option& option) {
  const std::string text = CLI::detail::trim_copy(HelpFormatter().make_option_opts(&option));
  std::string word = text.substr(0, text.find_first_of(" =:"));
  if (word.ends_with("...")) word.resize(word.size() - 3);
  return word.empty() ? option.get_name(option.get_positional()) : word;
}

bool has_capitals(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isupper(c); });
}

}  // namespace

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) { return shown(app, false); }
std::vector<const CLI::Option*> arguments_of(const CLI::App& app) { return shown(app, true); }

std::string name_of(const CLI::Option& option) { return "--" + option.get_lnames().front(); }

Taken taken_by(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  Taken taken{.kind = Taken::Kind::other,
              .word = word_of(option),
              .choices = {},
              .several = option.get_items_expected_max() > 1};
  if (taken.word == "FILE" || taken.word == "PATH") taken.kind = Taken::Kind::file;
  if (taken.word == "FOLDER") taken.kind = Taken::Kind::folder;
  if (taken.word.find('|') == std::string::npos) return taken;
  taken.kind = Taken::Kind::choice;
  for (const std::string& choice : CLI::detail::split(taken.word, '|')) {
    if (!has_capitals(choice)) taken.choices.push_back(choice);  // "quantile:Q" is none as it is
  }
  return taken;
}

}  // namespace memmatch::cli
