#include <fmt/format.h>

#include <map>

#include "base/files.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/verbs.h"
#include "eval/exchanged_pairs.h"
#include "eval/labelled_claims.h"
#include "memmatch/error.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string claims;
  std::string store;
  std::string out;
  eval::ExchangedPairsOptions pairs;
};

std::vector<data::Claim> read_claims(const std::string& file) {
  std::vector<data::Claim> claims;
  eval::LabelledClaims(file, {}, [&](const data::Claim& claim) { claims.push_back(claim); });
  return claims;
}

void run(const Options& options) {
  const std::vector<data::Claim> claims = read_claims(options.claims);
  Datastore store = Datastore::open(options.store, Datastore::Access::read);
  const std::vector<eval::ExchangedPair> pairs = [&] {
    ProgressLine progress("exchanging facts", "claims");
    return eval::exchanged_pairs(claims, store, options.pairs,
                                 [&](const Progress& done) { progress.update(done); });
  }();
  if (pairs.empty()) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: no supported claim states a fact in the words of a sentence that "
                            "{} has as its evidence",
                            options.claims, options.store));
  }
  OutputFile out(options.out);
  std::map<std::string, std::uint64_t> labels;
  for (const eval::ExchangedPair& pair : pairs) {
    out.write_line(eval::to_line(pair));
    ++labels[std::string(fever_name(pair.label))];
  }
  out.finish();
  fmt::print(stderr, "{}: {} pairs", options.out, pairs.size());
  for (const auto& [label, count] : labels) fmt::print(stderr, ", {} {}", count, label);
  fmt::print(stderr, "\n");
}

}  // namespace

void add_pairs(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "pairs", "Training examples with exchanged facts, for data.pairs of a recipe",
      "memmatch pairs --claims train.jsonl --store facts.db --out exchanged.jsonl");
  verb->add_option("--claims", options->claims, "A claim file with labels and evidence")
      ->type_name("FILE")
      ->required();
  verb->add_option("--store", options->store, "The datastore that has the evidence")
      ->type_name("FILE")
      ->required();
  verb->add_option("--out", options->out, "The file to write; '-' is standard output")
      ->type_name("FILE")
      ->required();
  verb->add_option("--facts", options->pairs.facts, "Facts of a claim that are exchanged, at most")
      ->check(whole_number(1, 100))
      ->capture_default_str();
  verb->add_option("--seed", options->pairs.seed, "Which facts they are exchanged for")
      ->capture_default_str();
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
