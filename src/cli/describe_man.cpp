#include <fmt/format.h>

#include <sstream>

#include "cli/common.h"
#include "cli/describe.h"
#include "cli/verb_tree.h"
#include "memmatch/version.h"

namespace memmatch::cli {
namespace {

constexpr std::string_view kAbout =
    "Data goes to standard output, messages and progress to standard error. Where a file of lines "
    "is asked for, '-' is standard input, and files may be packed with gzip, xz or zstd.";

constexpr std::string_view kEnd = R"(.SH EXIT STATUS
0: done; 1: failed, or check \-\-fail\-on found what it looks for; 2: wrong usage.
.SH ENVIRONMENT
.TP
.B MEMMATCH_MODEL
The model's folder for verbs that are not given \-\-model. Without it, that is the shipped model,
.I share/memmatch/models/default
where the program was installed.
.SH SEE ALSO
.I share/doc/memmatch/docs
where the program was installed.
)";

// Text as troff wants it.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string entry(const CLI::Option& option, std::string name) {
  const std::string takes = CLI::detail::trim_copy(HelpFormatter().make_option_opts(&option));
  return fmt::format(".TP\n\\fB{}\\fR {}\n{}\n", plain(name), plain(takes),
                     plain(option.get_description()));
}

std::string examples(const CLI::App& verb) {
  std::string text;
  std::istringstream lines(verb.get_footer());
  for (std::string line; std::getline(lines, line);) text += plain(line) + "\n";
  return text.empty() ? "" : ".PP\n.nf\n" + text + ".fi\n";
}

std::string usage(const CLI::App& verb, const std::string& path) {
  std::string usage = CLI::detail::trim_copy(HelpFormatter().make_usage(&verb, path));
  return usage.substr(usage.find(' ') + 1);  // without "Usage:"
}

// The verb, or the verbs below it.
std::string section(const CLI::App& verb, const std::string& path) {
  std::string text;
  const auto verbs = verbs_of(verb);
  for (const CLI::App* one : verbs) text += section(*one, path + " " + one->get_name());
  if (!verbs.empty()) return text;
  text = fmt::format(".SS {}\n{}.\n", plain(usage(verb, path)), plain(verb.get_description()));
  for (const CLI::Option* argument : arguments_of(verb))
    text += entry(*argument, argument->get_name(true));
  for (const CLI::Option* option : options_of(verb)) {
    if (name_of(*option) != "--help") text += entry(*option, name_of(*option));
  }
  return text + examples(verb);
}

// "verifies claims …", of "memmatch verifies claims ….".
std::string purpose(const CLI::App& program) {
  const std::string text = program.get_description().substr(program.get_name().size() + 1);
  return text.substr(0, text.find('.'));
}

}  // namespace

std::string man_page(const CLI::App& program) {
  std::string text = fmt::format(
      ".TH MEMMATCH 1 \"\" \"memmatch {}\" \"User Commands\"\n"
      ".SH NAME\nmemmatch \\- {}\n"
      ".SH SYNOPSIS\n.B memmatch\nVERB [OPTIONS]\n.br\n.B memmatch\nVERB \\-\\-help\n"
      ".SH DESCRIPTION\n{}\n{}.SH VERBS\n",
      MEMMATCH_VERSION, plain(purpose(program)), plain(kAbout), examples(program));
  for (const CLI::App* verb : verbs_of(program))
    text += section(*verb, program.get_name() + " " + verb->get_name());
  return text.append(kEnd);
}

}  // namespace memmatch::cli
