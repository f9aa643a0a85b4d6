#include "eval/evaluate.h"

#include <fmt/format.h>

#include <limits>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "cli/admit_options.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "eval/report.h"
#include "eval/trust.h"
#include "eval/verify_given.h"
#include "memmatch/error.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  AuditArguments audit;
  std::string claims;
  std::string symmetric;
  std::string pairs;
  std::vector<std::filesystem::path> gold;
  eval::ClaimChoice choice;
  std::string curve;
  std::string admit;
  std::size_t examples = 5;
  bool no_baseline = false;
  bool json = false;
};

eval::EvaluateOptions evaluate_options(const Options& options, ProgressLine& progress) {
  eval::EvaluateOptions result;
  result.choice = options.choice;
  result.overlap = !options.no_baseline;
  result.progress = [&](const Progress& done) { progress.update(done); };
  return result;
}

// Figures and, below them, which verdicts to rely on.
template <typename Figures, typename Setting>
void print(const Options& options, const eval::Trust& trust, const Figures& figures,
           const Setting& setting) {
  if (!options.curve.empty()) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    write_file_atomically(options.curve, eval::to_tsv(trust.exemplar_curve(kAll)));
  }
  if (options.json) {
    Json report = eval::to_json(figures, setting);
    report["trust"] = trust.to_json();
    return print_json(report);
  }
  fmt::print("{}\n{}", eval::to_markdown(figures, setting), trust.to_markdown());
}

// With the model's calibration, where it has one.
eval::TrustOptions trust_options(const Options& options, const std::string& claims,
                                 const Verifier& verifier) {
  eval::TrustOptions trust;
  trust.rules = {audit::parse_rule("quantile:0.9")};
  trust.examples = options.examples;
  trust.claims_hash = to_hex(content_hash_of_file(claims));
  if (!options.audit.exemplars.empty()) trust.exemplars = options.audit.options;
  if (!options.admit.empty() && options.admit != audit::kNoRule) {
    trust.rules.push_back(audit::parse_rule(options.admit));
    trust.calibration = read_calibration(options.search, verifier);
    audit::check_rule(trust.rules.back(), *trust.calibration);
  } else if (audit::find_calibration(options.search.model, verifier.model_fingerprint(),
                                     options.search.engine.precision)) {
    trust.calibration = read_calibration(options.search, verifier);
  } else {
    fmt::print(stderr,
               "the model is not calibrated in this precision: no admission, no confidence; see "
               "'memmatch calibrate --help'\n");
  }
  return trust;
}

void evaluate_claims(const Options& options, Verifier& verifier, Trust& exemplars) {
  SearchOptions search = options.search.search;
  search.explain = true;  // level 1 is judged by its beam
  eval::Trust trust(trust_options(options, options.claims, verifier));
  const eval::Figures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    eval::EvaluateOptions evaluate = evaluate_options(options, progress);
    evaluate.visit = [&](const data::Claim& claim, const Verdict& verdict) {
      trust.add(claim, verdict);
    };
    return eval::evaluate(
        options.claims, verifier.store(),
        [&](std::span<const data::Claim> claims) {
          std::vector<Verdict> verdicts = verifier.verify(data::texts_of(claims), search);
          exemplars.apply(search, verdicts);
          return verdicts;
        },
        evaluate);
  }();
  print(options, trust, figures, search);
}

void evaluate_symmetric(const Options& options, Verifier& verifier, Trust& exemplars) {
  SearchOptions search = options.search.search;
  search.two_class = true;
  const eval::SymmetricSet set =
      eval::read_symmetric(options.symmetric, options.gold, verifier.store());
  eval::Trust trust(trust_options(options, options.symmetric, verifier));
  const eval::SymmetricFigures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    eval::EvaluateOptions evaluate = evaluate_options(options, progress);
    evaluate.visit = [&](const data::Claim& claim, const Verdict& verdict) {
      trust.add(claim, verdict);
    };
    return eval::evaluate_symmetric(
        set,
        [&](std::span<const eval::SymmetricRow> rows) {
          std::vector<Verdict> verdicts = eval::verify_given(verifier, rows, search);
          exemplars.apply(search, verdicts);
          return verdicts;
        },
        evaluate);
  }();
  print(options, trust, figures, set);
}

void evaluate_pairs(const Options& options, Verifier& verifier, Trust& exemplars) {
  const SearchOptions& search = options.search.search;
  eval::Trust trust(trust_options(options, options.pairs, verifier));
  const eval::PairSet set = eval::read_pairs(options.pairs, search.two_class, options.choice);
  const eval::PairFigures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    eval::EvaluateOptions evaluate = evaluate_options(options, progress);
    evaluate.visit = [&](const data::Claim& claim, const Verdict& verdict) {
      trust.add(claim, verdict);
    };
    return eval::evaluate_pairs(
        set,
        [&](std::span<const data::Pair> pairs) {
          std::vector<Verdict> verdicts = eval::verify_given(verifier, pairs, search);
          exemplars.apply(search, verdicts);
          return verdicts;
        },
        evaluate);
  }();
  print(options, trust, figures, set);
}

void run(Options& options) {
  const int files = !options.claims.empty() + !options.symmetric.empty() + !options.pairs.empty();
  if (files != 1) {
    throw Error(ErrorKind::invalid_argument,
                "give one of --claims FILE, --symmetric FILE and --pairs FILE");
  }
  const bool pairs = !options.pairs.empty();
  if (pairs) options.search.store.clear();  // they bring all that is read
  if (!pairs && options.search.store.empty())
    throw Error(ErrorKind::invalid_argument, "--store is required, except with --pairs");
  Verifier verifier = open_verifier(options.search);
  if (!pairs) announce(verifier, options.search);
  // The rule of --admit is one of those that the report compares.
  Trust exemplars = open_trust("none", options.audit, options.search, verifier);
  if (!options.claims.empty()) evaluate_claims(options, verifier, exemplars);
  if (!options.symmetric.empty()) evaluate_symmetric(options, verifier, exemplars);
  if (pairs) evaluate_pairs(options, verifier, exemplars);
}

}  // namespace

void add_evaluate(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "evaluate", "How good verdicts and retrieval are on labelled claims",
               "memmatch evaluate --claims dev.jsonl --store wiki.db --model models/default\n"
               "memmatch evaluate --symmetric sym.jsonl --gold dev.jsonl --store wiki.db --model "
               "models/default\n"
               "memmatch evaluate --pairs pairs.jsonl --model models/default\n"
               "memmatch evaluate --symmetric sym_test.jsonl --gold dev.jsonl --exemplars e.db "
               "--exa-update sym_dev --store wiki.db --model models/default");
  add_model_options(*verb, options->search)
      ->required(false)
      ->description("The datastore; --pairs needs none");
  add_search_options(*verb, options->search);
  add_audit_options(*verb, options->audit);
  auto* claims = verb->add_option("--claims", options->claims, "A FEVER claim file with labels")
                     ->type_name("FILE");
  auto* symmetric = verb->add_option("--symmetric", options->symmetric,
                                     "A symmetric set, whose claims bring their evidence; between "
                                     "two labels")
                        ->type_name("FILE")
                        ->excludes(claims);
  verb->add_option("--pairs", options->pairs,
                   "Pairs of claim and evidence with labels; their evidence is all that is read")
      ->type_name("FILE")
      ->excludes(claims)
      ->excludes(symmetric);
  verb->add_option(
          "--gold", options->gold,
          "With --symmetric: FEVER claim files that may have the parents of its claims, to "
          "find the evidence's titles by")
      ->type_name("FILE")
      ->needs(symmetric);
  verb->add_option("--limit", options->choice.limit, "Only the first so many claims; 0 is all")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();
  verb->add_option("--sample", options->choice.sample,
                   "Of these only so many, spread evenly over the file; 0 is all")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();
  verb->add_option("--curve", options->curve,
                   "Also write accuracy by the distance of the nearest exemplar (columns, with "
                   "tabs) into this file")
      ->type_name("FILE")
      ->needs("--exemplars");
  add_admit_option(*verb, options->admit);
  verb->add_option("--examples", options->examples,
                   "With --json: so many verdicts with the nearest and the farthest evidence")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();
  verb->add_flag("--no-baseline", options->no_baseline,
                 "Leave out the word-overlap baseline, which reads the whole store once");
  verb->add_flag("--json", options->json, "One object instead of Markdown; shares in percent");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
