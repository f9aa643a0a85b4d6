#include <fmt/format.h>

#include "cli/checks.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "eval/evaluate.h"
#include "eval/report.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  std::string claims;
  std::vector<int> k1 = {3, 5, 30, 100};
  std::vector<int> z = {3, 5};
  std::uint64_t limit = 0;
  bool json = false;
};

void run(const Options& options) {
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  SearchOptions search = options.search.search;
  search.explain = true;  // level 1 is judged by its beam
  const std::vector<SearchOptions> settings = eval::sweep_settings(options.k1, options.z, search);
  std::vector<SweepCell> cells;
  for (const SearchOptions& setting : settings) cells.push_back({setting.k1, setting.z});
  const std::vector<eval::Figures> figures = [&] {
    ProgressLine progress("sweeping", "claims");
    eval::EvaluateOptions evaluate;
    evaluate.choice.limit = options.limit;
    evaluate.progress = [&](const Progress& done) { progress.update(done); };
    return eval::sweep(
        options.claims, verifier.store(), settings,
        [&](std::span<const data::Claim> claims, std::span<const SearchOptions>) {
          return verifier.sweep(data::texts_of(claims), cells, search);
        },
        evaluate);
  }();
  if (options.json) return print_json(eval::sweep_to_json(figures, settings));
  fmt::print("{}", eval::sweep_to_markdown(figures, settings));
}

}  // namespace

void add_sweep(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "sweep", "Accuracy and FEVER score for every k1 and z: the paper's Table 2",
               "memmatch sweep --claims dev.jsonl --k1 3,5,30,100 --z 3,5 --store wiki.db --model "
               "models/default");
  add_model_options(*verb, options->search);
  verb->add_option("--claims", options->claims, "A FEVER claim file with labels")
      ->type_name("FILE")
      ->required();
  verb->add_option("--k1", options->k1, "What level 1 keeps, one after the other")
      ->delimiter(',')
      ->check(whole_number(1, 10'000))
      ->capture_default_str();
  verb->add_option("--z", options->z, "What level 2 keeps, one after the other")
      ->delimiter(',')
      ->check(whole_number(1, 10'000))
      ->capture_default_str();
  verb->add_flag("--two-class", options->search.search.two_class, "Leave out 'unverifiable'");
  verb->add_option("--limit", options->limit, "Only the first so many claims; 0 is all")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "One object instead of Markdown; shares in percent");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
