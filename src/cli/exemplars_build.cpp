#include <fmt/format.h>

#include "base/hash.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "eval/exemplar_claims.h"
#include "memmatch/exemplars.h"

namespace memmatch::cli {
namespace {

using eval::ExemplarEvidence;

const std::map<std::string, ExemplarEvidence> kEvidenceNames{
    {"retrieved", ExemplarEvidence::retrieved},
    {"gold", ExemplarEvidence::gold},
    {"given", ExemplarEvidence::given}};

struct Options {
  std::string exemplars;
  SearchArguments search;
  std::string claims;
  std::string tag;
  eval::ExemplarClaimOptions choice;
  bool json = false;
};

// All that the exemplars depend on, as far as it can be told without reading the whole store. The
// database may be given to others: no folder of this machine goes into it.
std::string setting_of(const Options& options, const Verifier& verifier) {
  const SearchOptions& search = options.search.search;
  std::string evidence;
  for (const auto& [name, value] : kEvidenceNames) {
    if (value == options.choice.evidence) evidence = name;
  }
  Json gold = Json::array();
  for (const std::filesystem::path& file : options.choice.gold)
    gold.push_back(to_hex(content_hash_of_file(file)));
  return Json{{"claims", std::filesystem::path(options.claims).filename().string()},
              {"claims_hash", to_hex(content_hash_of_file(options.claims))},
              {"store", std::filesystem::path(options.search.store).filename().string()},
              {"model", to_hex(verifier.fingerprint())},
              {"evidence", evidence},
              {"gold_hashes", gold},
              {"limit", options.choice.limit},
              {"sample", options.choice.sample},
              {"seed", options.choice.seed},
              {"k1", search.k1},
              {"z", search.z},
              {"two_class", search.two_class},
              {"candidates", name_of(search.candidates)}}
      .dump();
}

void run(const Options& options) {
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  const std::string setting = setting_of(options, verifier);
  const eval::ExemplarClaims claims =
      eval::read_exemplar_claims(options.claims, options.choice, verifier.store());
  Exemplars exemplars = Exemplars::open(options.exemplars, Exemplars::Access::create);
  const audit::BuildReport report = [&] {
    ProgressLine progress("building exemplars", "claims");
    return audit::build_exemplars(exemplars, options.tag, setting, verifier, claims.claims,
                                  options.search.search,
                                  [&](const Progress& done) { progress.update(done); });
  }();
  if (report.taken_up > 0) fmt::print(stderr, "went on after {} claims\n", report.taken_up);
  if (claims.missing > 0) {
    fmt::print(stderr, "{} gold sentences are not in the datastore and were left out\n",
               claims.missing);
  }
  const ExemplarSource source = exemplars.source(options.tag).value();
  if (options.json) {
    return print_json({{"tag", source.tag},
                       {"claims", report.claims},
                       {"taken_up", report.taken_up},
                       {"added", report.exemplars},
                       {"exemplars", source.exemplars},
                       {"missing", claims.missing}});
  }
  fmt::print("{}: {} exemplars of '{}', {} of them new\n", options.exemplars, source.exemplars,
             source.tag, report.exemplars);
}

}  // namespace

void add_exemplars_build(CLI::App& exemplars) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      exemplars, "build", "Make exemplars from the model's decisions on labelled claims",
      "memmatch exemplars build --exemplars e.db --claims train.jsonl --tag train --sample 2000 "
      "--store facts.db --model models/default\n"
      "memmatch exemplars build --exemplars e.db --claims train.jsonl --tag train1 --evidence gold "
      "--two-class --store facts.db --model models/default\n"
      "memmatch exemplars build --exemplars e.db --claims sym_dev.jsonl --tag sym --evidence given "
      "--two-class --gold dev.jsonl --store facts.db --model models/default");
  verb->add_option("--exemplars", options->exemplars,
                   "The exemplar database; made where there is none")
      ->type_name("FILE")
      ->required();
  verb->add_option("--claims", options->claims, "A claim file with labels")
      ->type_name("FILE")
      ->required();
  verb->add_option("--tag", options->tag,
                   "A name for these exemplars; stopped and called again, the build goes on where "
                   "it was")
      ->required();
  verb->add_option("--evidence", options->choice.evidence,
                   "What the model decides on: what the search retrieves, each gold sentence that "
                   "is enough by itself, or what a symmetric set's claims bring")
      ->transform(choice(kEvidenceNames))
      ->option_text("retrieved|gold|given [retrieved]");
  verb->add_option("--gold", options->choice.gold,
                   "With --evidence given: FEVER claim files that may have the parents of the "
                   "claims, to find the evidence's titles by")
      ->type_name("FILE");
  verb->add_option("--limit", options->choice.limit, "Only the first so many; 0 is all")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();
  verb->add_option("--sample", options->choice.sample, "Of these so many, at random; 0 is all")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();
  verb->add_option("--seed", options->choice.seed, "What the sample depends on")
      ->capture_default_str();
  verb->add_flag("--json", options->json, "One object");
  add_model_options(*verb, options->search);
  add_search_options(*verb, options->search);
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
