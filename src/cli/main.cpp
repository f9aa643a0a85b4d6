#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>

#include "cli/common.h"
#include "cli/usage.h"
#include "cli/verbs.h"
#include "memmatch/error.h"
#include "memmatch/version.h"

namespace {

using memmatch::Error;
using memmatch::ErrorKind;

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

int run(int argc, char** argv) {
  CLI::App program("memmatch verifies claims against a datastore of sentences.", "memmatch");
  program.formatter(std::make_shared<memmatch::cli::HelpFormatter>());
  program.footer(
      "memmatch import jsonl examples/demo/corpus.jsonl --store demo.db\n"
      "memmatch cover 'The Moon orbits the Sun once a month.' --store demo.db\n"
      "memmatch VERB --help");
  program.set_version_flag("--version", "memmatch " MEMMATCH_VERSION);
  program.require_subcommand(1);
  memmatch::cli::add_import(program);
  memmatch::cli::add_store(program);
  memmatch::cli::add_cover(program);
  memmatch::cli::add_index(program);
  memmatch::cli::add_verify(program);
  memmatch::cli::add_check(program);
  memmatch::cli::add_predict(program);
  memmatch::cli::add_evaluate(program);
  memmatch::cli::add_sweep(program);
  memmatch::cli::add_calibrate(program);
  memmatch::cli::add_align(program);
  memmatch::cli::add_exemplars(program);
  memmatch::cli::add_score(program);
  memmatch::cli::add_tokenize(program);
  memmatch::cli::add_model(program);
  memmatch::cli::add_pairs(program);
  memmatch::cli::add_train(program);
  memmatch::cli::add_report(program);
  memmatch::cli::add_embed(program);
#ifdef MEMMATCH_SERVER
  memmatch::cli::add_serve(program);
  memmatch::cli::add_mcp(program);
#endif
  memmatch::cli::add_describe(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {  // or the version
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
    fmt::print(stderr, "{}", memmatch::cli::usage_error(program, error, arguments.subspan(1)));
    return kWrongUsage;
  }
  return 0;
}

// What was printed counts only once the system has taken it: the disk may be full.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "memmatch: cannot write to standard output: {}\n", std::strerror(errno));
  return kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return flushed(run(argc, argv));
  } catch (const Error& error) {
    fmt::print(stderr, "memmatch: {}\n", error.what());
    return error.kind() == ErrorKind::invalid_argument ? kWrongUsage : kFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "memmatch: {}\n", error.what());
    return kFailed;
  }
}
