#include <fmt/format.h>

#include "base/files.h"
#include "cli/common.h"
#include "cli/verbs.h"
#include "report/evaluation_page.h"
#include "report/run_page.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string run;
  std::string out = "report.html";
};

void run(const Options& options) {
  const std::string page = std::filesystem::is_regular_file(options.run)
                               ? report::evaluation_report(options.run)
                               : report::run_report(options.run);
  if (options.out == "-") {
    fmt::print("{}", page);
    return;
  }
  write_file_atomically(options.out, page);
  fmt::print(stderr, "{} written\n", options.out);
}

}  // namespace

void add_report(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "report",
      "One page about a training run (curves, epochs, dev set, configuration) or about an "
      "evaluation (tables, risk-coverage and cut-off curves, examples)",
      "memmatch report runs/minilm --out report.html\n"
      "memmatch evaluate --claims dev.jsonl --store wiki.db --model models/default --json > "
      "dev.json\n"
      "memmatch report dev.json --out dev.html");
  verb->add_option("RUN", options->run,
                   "The folder of a run, finished or still going, or what 'evaluate --json' "
                   "printed, in a file")
      ->type_name("PATH")
      ->required();
  verb->add_option("--out", options->out, "The HTML file; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
