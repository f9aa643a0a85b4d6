#include <fmt/format.h>

#include "cli/checks.h"
#include "cli/common.h"
#include "cli/verbs.h"
#include "eval/score_files.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string gold;
  std::string predictions;
  eval::ScoreOptions score;
  bool json = false;
};

Json to_json(const eval::FeverScore& score) {
  return {{"fever_score", score.fever_score},
          {"accuracy", score.accuracy},
          {"precision", score.precision},
          {"recall", score.recall},
          {"f1", score.f1}};
}

void print_readable(const eval::FileScore& result) {
  fmt::print("claims         {:>8}\n", result.claims);
  fmt::print("  verifiable   {:>8}\n", result.verifiable);
  fmt::print("FEVER score    {:>8.4f}\n", result.score.fever_score);
  fmt::print("accuracy       {:>8.4f}\n", result.score.accuracy);
  fmt::print("precision      {:>8.4f}\n", result.score.precision);
  fmt::print("recall         {:>8.4f}\n", result.score.recall);
  fmt::print("F1             {:>8.4f}\n", result.score.f1);
  if (result.nfc_score == result.score) return;
  fmt::print("with titles in the same Unicode form (NFC):\n");
  fmt::print("FEVER score    {:>8.4f}\n", result.nfc_score.fever_score);
  fmt::print("recall         {:>8.4f}\n", result.nfc_score.recall);
}

void run(const Options& options) {
  const eval::FileScore result =
      eval::score_files(options.gold, options.predictions, options.score,
                        [](const std::string& warning) { fmt::print(stderr, "{}\n", warning); });
  if (!options.json) return print_readable(result);
  Json object = to_json(result.score);
  object["claims"] = result.claims;
  object["verifiable"] = result.verifiable;
  if (result.nfc_score != result.score) object["nfc"] = to_json(result.nfc_score);
  print_json(object);
}

}  // namespace

void add_score(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "score", "The FEVER shared task's five numbers for a prediction file",
               "memmatch score --gold dev.jsonl --predictions predictions.jsonl\n"
               "memmatch score --gold dev.jsonl --predictions predictions.jsonl --by-id --json");
  verb->add_option("--gold", options->gold, "A FEVER claim file with labels and evidence")
      ->type_name("FILE")
      ->required();
  verb->add_option("--predictions", options->predictions,
                   "A FEVER prediction file, its lines in the order of the claims")
      ->type_name("FILE")
      ->required();
  verb->add_flag("--by-id", options->score.by_id, "Pair lines by id instead of by position");
  verb->add_option("--max-evidence", options->score.max_evidence,
                   "How many predicted sentences of a claim count, from the first")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str();
  verb->add_flag("--json", options->json,
                 "One object: fever_score, accuracy, precision, recall, f1, from 0 to 1");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
