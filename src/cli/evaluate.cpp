#include "eval/evaluate.h"

#include <fmt/format.h>

#include "cli/audited_run.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "eval/report.h"
#include "memmatch/error.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  AuditArguments audit;
  std::string claims;
  std::string symmetric;
  std::vector<std::filesystem::path> gold;
  std::uint64_t limit = 0;
  std::string curve;
  bool no_baseline = false;
  bool json = false;
};

eval::EvaluateOptions evaluate_options(const Options& options, ProgressLine& progress,
                                       AuditedRun& run) {
  eval::EvaluateOptions result;
  result.limit = options.limit;
  result.overlap = !options.no_baseline;
  result.progress = [&](const Progress& done) { progress.update(done); };
  result.visit = [&](const data::Claim& claim, const Verdict& verdict) {
    run.add(*claim.label, verdict);
  };
  return result;
}

// Figures and, below them, what the rules make of the decisions.
template <typename Figures, typename Setting>
void print(const Options& options, const AuditedRun& run, const Figures& figures,
           const Setting& setting) {
  if (!options.curve.empty()) run.write_curve(options.curve);
  if (options.json) {
    Json report = eval::to_json(figures, setting);
    if (run.has_rules()) run.add_to(report);
    return print_json(report);
  }
  fmt::print("{}", eval::to_markdown(figures, setting));
  if (run.has_rules()) fmt::print("\n{}", run.markdown());
}

void evaluate_claims(const Options& options, Verifier& verifier, AuditedRun& run) {
  SearchOptions search = options.search.search;
  search.explain = true;  // level 1 is judged by its beam
  const eval::Figures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    return eval::evaluate(
        options.claims, verifier.store(),
        [&](std::span<const data::Claim> claims) {
          std::vector<Verdict> verdicts = verifier.verify(data::texts_of(claims), search);
          run.audit(verdicts);
          return verdicts;
        },
        evaluate_options(options, progress, run));
  }();
  print(options, run, figures, search);
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
  std::vector<Verdict> verdicts = verifier.verify_given(claims, evidence, search);
  for (std::size_t i = 0; i < rows.size(); ++i)
    verdicts[i].evidence.at(0).edited = rows[i].evidence_changed;
  return verdicts;
}

void evaluate_symmetric(const Options& options, Verifier& verifier, AuditedRun& run) {
  SearchOptions search = options.search.search;
  search.two_class = true;
  const eval::SymmetricSet set =
      eval::read_symmetric(options.symmetric, options.gold, verifier.store());
  const eval::SymmetricFigures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    return eval::evaluate_symmetric(
        set,
        [&](std::span<const eval::SymmetricRow> rows) {
          std::vector<Verdict> verdicts = verify_rows(rows, verifier, search);
          run.audit(verdicts);
          return verdicts;
        },
        evaluate_options(options, progress, run));
  }();
  print(options, run, figures, set);
}

void run(Options& options) {
  if (options.claims.empty() == options.symmetric.empty())
    throw Error(ErrorKind::invalid_argument, "give either --claims FILE or --symmetric FILE");
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  AuditedRun audited(options.audit, verifier, options.search);
  options.claims.empty() ? evaluate_symmetric(options, verifier, audited)
                         : evaluate_claims(options, verifier, audited);
}

}  // namespace

void add_evaluate(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "evaluate", "How good verdicts and retrieval are on labelled claims",
               "memmatch evaluate --claims dev.jsonl --store wiki.db --model models/small\n"
               "memmatch evaluate --symmetric sym.jsonl --gold dev.jsonl --store wiki.db --model "
               "models/small\n"
               "memmatch evaluate --symmetric sym_test.jsonl --gold dev.jsonl --exemplars e.db "
               "--exa-update sym_dev --store wiki.db --model models/small");
  add_model_options(*verb, options->search);
  add_search_options(*verb, options->search);
  add_audit_options(*verb, options->audit);
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
  verb->add_option("--curve", options->curve,
                   "Also write accuracy by the distance of the nearest exemplar (columns, with "
                   "tabs) into this file")
      ->needs("--exemplars");
  verb->add_flag("--no-baseline", options->no_baseline,
                 "Leave out the word-overlap baseline, which reads the whole store once");
  verb->add_flag("--json", options->json, "One object instead of Markdown; shares in percent");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
