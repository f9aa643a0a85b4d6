#include "eval/evaluate.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/hash.h"
#include "cli/admit_options.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "eval/report.h"
#include "eval/trust.h"
#include "memmatch/error.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  std::string claims;
  std::string symmetric;
  std::vector<std::filesystem::path> gold;
  std::uint64_t limit = 0;
  std::string admit;
  std::size_t examples = 5;
  bool no_baseline = false;
  bool json = false;
};

eval::EvaluateOptions evaluate_options(const Options& options, ProgressLine& progress) {
  eval::EvaluateOptions result;
  result.limit = options.limit;
  result.overlap = !options.no_baseline;
  result.progress = [&](const Progress& done) { progress.update(done); };
  return result;
}

// With the model's calibration, where it has one.
eval::Trust make_trust(const Options& options, const std::string& claims,
                       const Verifier& verifier) {
  std::vector<audit::AdmissionRule> rules = {audit::parse_rule("quantile:0.9")};
  std::optional<audit::Calibration> calibration;
  if (!options.admit.empty()) {
    rules.push_back(audit::parse_rule(options.admit));
    calibration = read_calibration(options.search, verifier);
    audit::check_rule(rules.back(), *calibration);
  } else if (audit::find_calibration(options.search.model, verifier.model_fingerprint(),
                                     options.search.engine.precision)) {
    calibration = read_calibration(options.search, verifier);
  } else {
    fmt::print(stderr,
               "the model is not calibrated in this precision: no admission, no confidence; see "
               "'memmatch calibrate --help'\n");
  }
  eval::Trust trust(std::move(calibration), std::move(rules), options.examples);
  trust.note_claims(to_hex(content_hash(read_file(claims))));
  return trust;
}

void evaluate_claims(const Options& options, Verifier& verifier) {
  SearchOptions search = options.search.search;
  search.explain = true;  // level 1 is judged by its beam
  eval::Trust trust = make_trust(options, options.claims, verifier);
  const eval::Figures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    eval::EvaluateOptions evaluate = evaluate_options(options, progress);
    evaluate.visit = [&](const data::Claim& claim, const Verdict& verdict) {
      trust.add(claim, verdict, !verdict.evidence.empty() && verdict.evidence.front().edited);
    };
    return eval::evaluate(
        options.claims, verifier.store(),
        [&](std::span<const data::Claim> claims) {
          return verifier.verify(data::texts_of(claims), search);
        },
        evaluate);
  }();
  if (options.json) {
    Json json = eval::to_json(figures, search);
    json["trust"] = trust.to_json();
    return print_json(json);
  }
  fmt::print("{}\n{}", eval::to_markdown(figures, search), trust.to_markdown());
}

std::vector<Verdict> verify_rows(std::span<const eval::SymmetricRow> rows, Verifier& verifier,
                                 const SearchOptions& search) {
  std::vector<std::string> claims;
  std::vector<GivenEvidence> evidence;
  for (const eval::SymmetricRow& row : rows) {
    claims.push_back(row.claim.text);
    evidence.push_back(
        {row.evidence.raw_title, row.evidence.title, row.evidence.number, row.evidence.text});
  }
  return verifier.verify_given(claims, evidence, search);
}

void evaluate_symmetric(const Options& options, Verifier& verifier) {
  SearchOptions search = options.search.search;
  search.two_class = true;
  const eval::SymmetricSet set =
      eval::read_symmetric(options.symmetric, options.gold, verifier.store());
  eval::Trust trust = make_trust(options, options.symmetric, verifier);
  const eval::SymmetricFigures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    eval::EvaluateOptions evaluate = evaluate_options(options, progress);
    evaluate.visit_row = [&](const eval::SymmetricRow& row, const Verdict& verdict) {
      trust.add(row.claim, verdict, row.evidence_changed);
    };
    return eval::evaluate_symmetric(
        set,
        [&](std::span<const eval::SymmetricRow> rows) {
          return verify_rows(rows, verifier, search);
        },
        evaluate);
  }();
  if (options.json) {
    Json json = eval::to_json(figures, set);
    json["trust"] = trust.to_json();
    return print_json(json);
  }
  fmt::print("{}\n{}", eval::to_markdown(figures, set), trust.to_markdown());
}

void run(const Options& options) {
  if (options.claims.empty() == options.symmetric.empty())
    throw Error(ErrorKind::invalid_argument, "give either --claims FILE or --symmetric FILE");
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  options.claims.empty() ? evaluate_symmetric(options, verifier)
                         : evaluate_claims(options, verifier);
}

}  // namespace

void add_evaluate(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "evaluate", "How good verdicts and retrieval are on labelled claims",
               "memmatch evaluate --claims dev.jsonl --store wiki.db --model models/small\n"
               "memmatch evaluate --symmetric sym.jsonl --gold dev.jsonl --store wiki.db --model "
               "models/small");
  add_model_options(*verb, options->search);
  add_search_options(*verb, options->search);
  auto* claims = verb->add_option("--claims", options->claims, "A FEVER claim file with labels");
  auto* symmetric = verb->add_option("--symmetric", options->symmetric,
                                     "A symmetric set, whose claims bring their evidence; between "
                                     "two labels")
                        ->excludes(claims);
  verb->add_option(
          "--gold", options->gold,
          "With --symmetric: FEVER claim files that may have the parents of its claims, to "
          "find the evidence's titles by")
      ->needs(symmetric);
  verb->add_option("--limit", options->limit, "Only the first so many claims; 0 is all")
      ->capture_default_str();
  add_admit_option(*verb, options->admit);
  verb->add_option("--examples", options->examples,
                   "With --json: so many verdicts with the nearest and the farthest evidence")
      ->capture_default_str();
  verb->add_flag("--no-baseline", options->no_baseline,
                 "Leave out the word-overlap baseline, which reads the whole store once");
  verb->add_flag("--json", options->json, "One object instead of Markdown; shares in percent");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
