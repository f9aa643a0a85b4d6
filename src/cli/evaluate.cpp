#include "eval/evaluate.h"

#include <fmt/format.h>

#include "audit/exemplar_rules.h"
#include "base/files.h"
#include "base/hash.h"
#include "cli/admit_options.h"
#include "cli/audited_run.h"
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
  AuditArguments audit;
  std::string claims;
  std::string symmetric;
  std::vector<std::filesystem::path> gold;
  std::uint64_t limit = 0;
  std::string curve;
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

// Figures and, below them, which verdicts to rely on and what exemplars make of them.
template <typename Figures, typename Setting>
void print(const Options& options, const eval::Trust& trust, const AuditedRun& run,
           const Figures& figures, const Setting& setting) {
  if (!options.curve.empty()) run.write_curve(options.curve);
  if (options.json) {
    Json report = eval::to_json(figures, setting);
    report["trust"] = trust.to_json();
    if (run.has_exemplars()) run.add_to(report);
    return print_json(report);
  }
  fmt::print("{}\n{}", eval::to_markdown(figures, setting), trust.to_markdown());
  if (run.has_exemplars()) fmt::print("\n{}", run.markdown());
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

// What level 3 decided, whatever exemplars have made of it.
Verdict of_the_model(Verdict verdict) {
  verdict.label = verdict.model_label();
  return verdict;
}

void evaluate_claims(const Options& options, Verifier& verifier, AuditedRun& run) {
  SearchOptions search = options.search.search;
  search.explain = true;  // level 1 is judged by its beam
  eval::Trust trust = make_trust(options, options.claims, verifier);
  const eval::Figures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    eval::EvaluateOptions evaluate = evaluate_options(options, progress);
    evaluate.visit = [&](const data::Claim& claim, const Verdict& verdict) {
      trust.add(claim, of_the_model(verdict), audit::evidence_changed(verdict));
      run.add(*claim.label, verdict);
    };
    return eval::evaluate(
        options.claims, verifier.store(),
        [&](std::span<const data::Claim> claims) {
          std::vector<Verdict> verdicts = verifier.verify(data::texts_of(claims), search);
          run.audit(verdicts);
          return verdicts;
        },
        evaluate);
  }();
  print(options, trust, run, figures, search);
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
  eval::Trust trust = make_trust(options, options.symmetric, verifier);
  const eval::SymmetricFigures figures = [&] {
    ProgressLine progress("evaluating", "claims");
    eval::EvaluateOptions evaluate = evaluate_options(options, progress);
    evaluate.visit_row = [&](const eval::SymmetricRow& row, const Verdict& verdict) {
      trust.add(row.claim, of_the_model(verdict), row.evidence_changed);
      run.add(*row.claim.label, verdict);
    };
    return eval::evaluate_symmetric(
        set,
        [&](std::span<const eval::SymmetricRow> rows) {
          std::vector<Verdict> verdicts = verify_rows(rows, verifier, search);
          run.audit(verdicts);
          return verdicts;
        },
        evaluate);
  }();
  print(options, trust, run, figures, set);
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
