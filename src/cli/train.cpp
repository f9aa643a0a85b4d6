#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/common.h"
#include "cli/verbs.h"
#include "memmatch/error.h"

namespace memmatch::cli {
namespace {

constexpr const char* kTrainer = "memmatch-train";

// Becomes `program`, looked up in PATH where it has no folder. Returns only where that failed, with
// the reason in errno.
void become(const std::string& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execvp(program.c_str(), argv.data());
}

constexpr const char* kHowToBuild =
    "It needs LibTorch and is not built by default; in the source folder:\n  make trainer";

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return argument == "--help" || argument == "-h";
  });
}

// Without a trainer to answer for its options.
void print_help(const CLI::App& verb) {
  fmt::print("{}\n{} has the options and is not here. {}\n", verb.help(), kTrainer, kHowToBuild);
}

void run(const CLI::App& verb, const std::vector<std::string>& arguments) {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::string trainer = (self.parent_path() / kTrainer).string();
  if (self.empty() || !std::filesystem::exists(trainer, ignored)) trainer = kTrainer;
  become(trainer, arguments);
  if (errno != ENOENT) {
    throw Error(ErrorKind::io, fmt::format("{}: cannot start: {}", trainer, std::strerror(errno)));
  }
  if (asks_for_help(arguments)) return print_help(verb);
  throw Error(ErrorKind::not_found, fmt::format("{} is neither beside {} nor in PATH. {}", kTrainer,
                                                self.string(), kHowToBuild));
}

}  // namespace

// The trainer is a program of its own, since only it needs LibTorch; it gets all arguments as they
// are, also --help.
void add_train(CLI::App& program) {
  CLI::App* verb = add_verb(program, "train", "Train a model: start the program memmatch-train",
                            "memmatch train --config recipes/tiny.toml --run runs/tiny\n"
                            "memmatch train --help");
  verb->set_help_flag();
  verb->prefix_command();
  verb->callback([verb] { run(*verb, verb->remaining()); });
}

}  // namespace memmatch::cli
