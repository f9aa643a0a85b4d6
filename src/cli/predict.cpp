#include <fmt/format.h>

#include <optional>
#include <set>

#include "base/hash.h"
#include "cli/admit_options.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "data/claims.h"
#include "data/prediction_journal.h"
#include "data/predictions.h"
#include "eval/trec_run.h"
#include "memmatch/error.h"

namespace memmatch::cli {
namespace {

// Claims that are searched together; as many are lost at most when the program is stopped.
constexpr std::size_t kClaimsTogether = 64;

struct Options {
  SearchArguments search;
  AuditArguments audit;
  std::string claims;
  std::string out;
  std::string trec_run;
  std::string admit = "none";
};

// All that the predictions depend on, as far as it can be told without reading the whole store.
std::string setting_of(const Options& options, Verifier& verifier, const Trust& trust) {
  const SearchOptions& search = options.search.search;
  Json setting{{"memmatch_predictions", 1},
               {"claims", to_hex(content_hash_of_file(options.claims))},
               {"store", std::filesystem::absolute(options.search.store).string()},
               {"model", to_hex(verifier.fingerprint())},
               {"k1", search.k1},
               {"z", search.z},
               {"two_class", search.two_class},
               {"candidates", name_of(search.candidates)},
               {"admit", trust.setting()}};
  if (!options.audit.exemplars.empty()) {
    const ExemplarOptions& audit = options.audit.options;
    setting["exemplars"] = {
        {"database", std::filesystem::absolute(options.audit.exemplars).string()},
        {"neighbours", audit.neighbours},
        {"true_positive", audit.true_positive},
        {"max_distance", audit.max_distance ? Json(*audit.max_distance) : Json(nullptr)},
        {"update_tag", audit.update_tag}};
  }
  return setting.dump();
}

std::vector<data::Claim> read_claims(const std::string& file) {
  std::vector<data::Claim> claims;
  data::ClaimReader reader(file);
  for (data::Claim claim; reader.next(claim);) claims.push_back(std::move(claim));
  return claims;
}

void run(Options& options) {
  const std::vector<data::Claim> claims = read_claims(options.claims);
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  Trust trust = open_trust(options.admit, options.audit, options.search, verifier);
  data::PredictionJournal journal(options.out, setting_of(options, verifier, trust));
  std::optional<eval::TrecRun> trec;
  if (!options.trec_run.empty()) trec.emplace(options.trec_run);
  options.search.search.explain = trec.has_value();
  if (trec && journal.done() > 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{0}.partial has the predictions of a run that was stopped, but not "
                            "its TREC runs, which are written at the end only: finish it without "
                            "--trec-run, or delete {0}.partial to begin anew",
                            options.out));
  }
  if (journal.done() > 0) fmt::print(stderr, "going on after {} claims\n", journal.done());

  std::uint64_t not_admitted = 0;
  std::set<std::string> warnings;
  ProgressLine progress("predicting", "claims");
  for (std::size_t begin = journal.done(); begin < claims.size(); begin += kClaimsTogether) {
    const std::size_t count = std::min(kClaimsTogether, claims.size() - begin);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) texts.push_back(claims[begin + i].text);
    std::vector<Verdict> verdicts = verifier.verify(texts, options.search.search);
    trust.apply(options.search.search, verdicts);
    for (std::size_t i = 0; i < count; ++i) {
      not_admitted += !verdicts[i].admitted();
      warnings.insert(verdicts[i].warnings.begin(), verdicts[i].warnings.end());
      if (trec) trec->add(claims[begin + i], verdicts[i], verifier.store());
      journal.append(data::to_line(data::to_prediction(claims[begin + i], verdicts[i])));
    }
    progress.update({begin + count, claims.size()});
  }
  if (trec) trec->finish();
  journal.finish();
  fmt::print(stderr, "{}: {} predictions\n", options.out, claims.size());
  for (const std::string& warning : warnings) fmt::print(stderr, "{}\n", warning);
  if (not_admitted > 0) {
    fmt::print(stderr, "{} of this run's are not admitted and say so in their lines\n",
               not_admitted);
  }
}

}  // namespace

void add_predict(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "predict", "Verdicts for a claim file, as a FEVER prediction file",
      "memmatch predict --claims dev.jsonl --out predictions.jsonl --store facts.db --model "
      "models/default\n"
      "memmatch score --gold dev.jsonl --predictions predictions.jsonl");
  verb->add_option("--claims", options->claims, "A claim file")->type_name("FILE")->required();
  verb->add_option("--out", options->out,
                   "The prediction file; stopped and called again, it goes on where it was")
      ->type_name("FILE")
      ->required();
  verb->add_option("--trec-run", options->trec_run,
                   "Also write TREC run files of levels 1 and 2 into this folder")
      ->type_name("FOLDER");
  add_model_options(*verb, options->search);
  add_search_options(*verb, options->search);
  add_admit_option(*verb, options->admit);
  add_audit_options(*verb, options->audit);
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
