#include <fmt/format.h>

#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "data/claims.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  std::string claims_file;
  bool json = false;
};

std::vector<std::string> read_claims(const std::string& file) {
  std::vector<std::string> claims;
  data::ClaimReader reader(file);
  for (data::Claim claim; reader.next(claim);) claims.push_back(std::move(claim.text));
  return claims;
}

void run(const Options& options) {
  Verifier verifier = open_verifier(options.search);
  add_words(verifier.store(), options.search.store);
  std::uint64_t made = 0;
  {
    ProgressLine progress("indexing", "sentences");
    const auto draw = [&](const Progress& state) { progress.update(state); };
    made = options.claims_file.empty()
               ? verifier.index(draw)
               : verifier.index_reach_of(read_claims(options.claims_file), draw);
  }
  const IndexState state = verifier.index_state();
  if (options.json) {
    return print_json({{"made", made}, {"indexed", state.indexed}, {"missing", state.missing}});
  }
  fmt::print("{}: {} vectors made; {} sentences have one, {} do not\n", options.search.store, made,
             state.indexed, state.missing);
}

}  // namespace

void add_index(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "index", "Make the level-1 vectors of sentences that have none",
               "memmatch index --store facts.db --model models/default\n"
               "memmatch index --store facts.db --model models/default --claims dev.jsonl");
  verb->add_option("--store", options->search.store, "The datastore")
      ->type_name("FILE")
      ->required();
  add_model_option(*verb, options->search.model);
  add_engine_options(*verb, options->search.engine);
  verb->add_option("--claims", options->claims_file, "Only what these claims' words reach")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "The report as one object");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
