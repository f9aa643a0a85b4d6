#include <unistd.h>

#include <csignal>

#include "base/files.h"
#include "cli/common.h"
#include "cli/service_options.h"
#include "cli/verbs.h"
#include "memmatch/error.h"
#include "serve/mcp/stdio.h"

namespace memmatch::cli {
namespace {

struct Options {
  ServiceArguments service;
  bool allow_writes = false;
};

void run(const Options& options) {
  serve::ServiceSettings settings = service_settings(options.service, "mcp");
  const std::string& exemplars = options.service.exemplars;
  if (!options.allow_writes && !exemplars.empty() && !path_exists(exemplars)) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: there is no such file; --allow-writes makes it", exemplars));
  }
  // There is nobody to keep company with, and whoever is there waits for all of its own.
  settings.queue = {.most_waiting = 1'000'000, .company = std::chrono::microseconds(0)};
  std::signal(SIGPIPE, SIG_IGN);  // a client that is gone is the end, and no reason to be killed
  serve::mcp::serve_stdio(STDIN_FILENO, STDOUT_FILENO, std::move(settings), options.allow_writes);
}

}  // namespace

void add_mcp(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "mcp", "Tools for an assistant: the Model Context Protocol over standard input",
      "memmatch mcp --store facts.db\n"
      "memmatch mcp --store facts.db --exemplars exemplars.db --allow-writes");
  add_service_options(*verb, options->service);
  verb->add_flag("--allow-writes", options->allow_writes,
                 "Let the assistant add documents, change sentences and correct verdicts");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
