#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/describe.h"
#include "cli/verb_tree.h"

namespace memmatch::cli {
namespace {

// {0}: patterns of verbs; {1}: what options take; {2}: what verbs take.
constexpr std::string_view kScript =
    R"(# Completion of memmatch's verbs, options and their values, made from its help.
_memmatch() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} verb= option= values=0 before i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    before=${{COMP_WORDS[i]}}
    case $before in
      -?*) option=$before values=0 ;;
      =) ;;
      *)
        case "$verb $before" in
          {0}) verb+=" $before" ;;
          *) values=$((values + 1)) ;;
        esac ;;
    esac
  done
  if [[ $word == = ]]; then word=; fi

  # What may stand here: one of these words, or else a file or folder (default, dirnames).
  local words= options= otherwise=
  case "$verb $option $values" in
{1}    *)
      case $verb in
{2}      esac
      if [[ $word == -* || -z $words$otherwise ]]; then words=$options; fi ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if [[ -n $otherwise && $word != -* ]]; then compopt -o "$otherwise"; fi
}}
complete -F _memmatch memmatch
)";

std::string_view otherwise(Taken::Kind kind) {
  return kind == Taken::Kind::file ? "default" : kind == Taken::Kind::folder ? "dirnames" : "";
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

class Script {
 public:
  void add(const CLI::App& verb, const std::string& path) {
    std::vector<std::string> words;
    std::vector<std::string> options;
    std::string_view files;
    for (const CLI::App* one : verbs_of(verb)) {
      words.push_back(one->get_name());
      verbs_.push_back(fmt::format("\"{} {}\"", path, one->get_name()));
      add(*one, path + " " + one->get_name());
    }
    for (const CLI::Option* argument : arguments_of(verb)) {
      const Taken taken = taken_by(*argument);
      words.insert(words.end(), taken.choices.begin(), taken.choices.end());
      if (files.empty()) files = otherwise(taken.kind);
    }
    for (const CLI::Option* option : options_of(verb)) {
      options.push_back(name_of(*option));
      add_values(*option, path);
    }
    if (verb.get_prefix_command()) files = "default";  // what another program takes
    takes_ += fmt::format("        \"{}\") words=\"{}\" options=\"{}\" otherwise={} ;;\n", path,
                          joined(words, " "), joined(options, " "), files);
  }

  std::string text() const { return fmt::format(kScript, joined(verbs_, " | "), values_, takes_); }

 private:
  void add_values(const CLI::Option& option, const std::string& path) {
    const Taken taken = taken_by(option);
    if (taken.kind == Taken::Kind::nothing) return;
    // One value, or all up to the next option.
    values_ +=
        fmt::format("    \"{} {} \"{}) words=\"{}\" otherwise={} ;;\n", path, name_of(option),
                    taken.several ? "*" : "0", joined(taken.choices, " "), otherwise(taken.kind));
  }

  std::vector<std::string> verbs_;
  std::string values_;
  std::string takes_;
};

}  // namespace

std::string bash_completion(const CLI::App& program) {
  Script script;
  script.add(program, "");
  return script.text();
}

}  // namespace memmatch::cli
