#include "eval/calibrate.h"

#include <fmt/format.h>

#include "cli/checks.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "eval/verify_given.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  std::string claims;
  std::string dev;
  std::string symmetric;
  std::vector<std::filesystem::path> gold;
  std::vector<std::string> pairs;
  std::uint64_t sample = 0;
  bool json = false;
};

template <typename Measure>
eval::MeasuredClaims with_progress(const std::string& file, const Options& options,
                                   Measure measure) {
  ProgressLine progress(file, "claims");
  eval::CalibrateOptions calibrate;
  calibrate.sample = options.sample;
  calibrate.progress = [&](const Progress& done) { progress.update(done); };
  return measure(calibrate);
}

eval::MeasuredClaims measure_claims(const std::string& file, const Options& options,
                                    Verifier& verifier) {
  const auto search = [&](std::span<const data::Claim> some) {
    return verifier.verify(data::texts_of(some), options.search.search);
  };
  return with_progress(file, options, [&](const eval::CalibrateOptions& calibrate) {
    return eval::measure(file, verifier.store(), search, calibrate);
  });
}

eval::MeasuredClaims measure_pairs(const std::string& file, const Options& options,
                                   Verifier& verifier) {
  const auto search = [&](std::span<const data::Pair> some) {
    return eval::verify_given(verifier, some, options.search.search);
  };
  return with_progress(file, options, [&](const eval::CalibrateOptions& calibrate) {
    return eval::measure_pairs(file, search, calibrate);
  });
}

eval::MeasuredClaims measure_symmetric(const Options& options, Verifier& verifier) {
  const eval::SymmetricSet set =
      eval::read_symmetric(options.symmetric, options.gold, verifier.store());
  SearchOptions two_class = options.search.search;
  two_class.two_class = true;
  const auto search = [&](std::span<const eval::SymmetricRow> some) {
    return eval::verify_given(verifier, some, two_class);
  };
  return with_progress(options.symmetric, options, [&](const eval::CalibrateOptions& calibrate) {
    return eval::measure_symmetric(options.symmetric, set, search, calibrate);
  });
}

// What the confidence is fitted on.
std::vector<eval::MeasuredClaims> measure_others(const Options& options, Verifier& verifier) {
  std::vector<eval::MeasuredClaims> others;
  if (!options.dev.empty()) others.push_back(measure_claims(options.dev, options, verifier));
  if (!options.symmetric.empty()) others.push_back(measure_symmetric(options, verifier));
  for (const std::string& file : options.pairs)
    others.push_back(measure_pairs(file, options, verifier));
  return others;
}

double accuracy(const eval::MeasuredClaims& measured) {
  return 100 * static_cast<double>(measured.level3.size()) /
         static_cast<double>(measured.source.used);
}

Json to_json(const audit::DistanceStatistics& level) {
  return {{"count", level.count},
          {"mean", level.mean},
          {"std", level.deviation},
          {"quantiles",
           {{"0.5", level.quantile(0.5)},
            {"0.9", level.quantile(0.9)},
            {"0.95", level.quantile(0.95)},
            {"0.99", level.quantile(0.99)}}}};
}

void print_level(const char* name, const audit::DistanceStatistics& level) {
  fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n", name, level.count,
             level.mean, level.deviation, level.quantile(0.5), level.quantile(0.9),
             level.quantile(0.99));
}

void print_readable(const audit::Calibration& calibration, const eval::MeasuredClaims& train,
                    std::span<const eval::MeasuredClaims> others) {
  fmt::print("| distance | claims | mean | std | median | 90 % | 99 % |\n");
  fmt::print("|---|---:|---:|---:|---:|---:|---:|\n");
  print_level("level 2, retrieval right", calibration.level2);
  print_level("level 3, decision right", calibration.level3);
  fmt::print("\nOf {} claims of {}; {:.2f} % of the labels are right.\n", train.source.used,
             train.source.file, accuracy(train));
  if (others.empty()) return;
  double share = 0;
  for (const eval::MeasuredClaims& other : others) {
    share += accuracy(other) / 100 / static_cast<double>(others.size());
    fmt::print("Confidence fitted on {} claims of {}, {:.2f} % right.\n", other.source.used,
               other.source.file, accuracy(other));
  }
  fmt::print("Brier score {:.4f} on held-out fifths (always saying {:.2f} would give {:.4f}){}.\n",
             calibration.confidence->brier, share, share * (1 - share),
             others.size() > 1 ? "; each file counts the same" : "");
}

void run(const Options& options) {
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  const eval::MeasuredClaims train = measure_claims(options.claims, options, verifier);
  const std::vector<eval::MeasuredClaims> others = measure_others(options, verifier);
  audit::Calibration calibration = eval::calibrate(train, others);
  calibration.model = verifier.model_fingerprint();
  calibration.precision = options.search.engine.precision;
  calibration.k1 = options.search.search.k1;
  calibration.z = options.search.search.z;
  calibration.two_class = options.search.search.two_class;
  calibration.all = options.search.search.candidates == Candidates::all;
  audit::write_calibration(options.search.model, calibration);
  const std::string file = audit::calibration_file(options.search.model);
  if (options.json) {
    Json json = {{"calibration", file},
                 {"level2", to_json(calibration.level2)},
                 {"level3", to_json(calibration.level3)}};
    if (calibration.confidence) {
      json["confidence"] = {{"claims", calibration.confidence->claims},
                            {"log_loss", calibration.confidence->log_loss},
                            {"brier", calibration.confidence->brier}};
    }
    return print_json(json);
  }
  print_readable(calibration, train, others);
  fmt::print(stderr, "{}: written\n", file);
}

}  // namespace

void add_calibrate(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "calibrate", "Measure how far a model's right verdicts are, for --admit",
               "memmatch calibrate --claims train.jsonl --dev dev.jsonl --store wiki.db --model "
               "models/default\n"
               "memmatch calibrate --claims train.jsonl --dev dev.jsonl --symmetric sym_dev.jsonl "
               "--gold dev.jsonl --pairs other_domains.jsonl --sample 2000 --store wiki.db "
               "--model models/default");
  verb->add_option("--claims", options->claims,
                   "A FEVER claim file with labels, the training claims: for means and quantiles")
      ->type_name("FILE")
      ->required();
  verb->add_option("--dev", options->dev,
                   "Other labelled claims, which the model was not trained on: to fit the "
                   "confidence on. Texts of other kinds (--symmetric, --pairs) count as much")
      ->type_name("FILE");
  auto* symmetric = verb->add_option("--symmetric", options->symmetric,
                                     "A symmetric set, between two labels: to fit the confidence "
                                     "on as well")
                        ->type_name("FILE");
  verb->add_option("--gold", options->gold,
                   "With --symmetric: FEVER claim files that may have the parents of its claims")
      ->type_name("FILE")
      ->needs(symmetric);
  verb->add_option("--pairs", options->pairs,
                   "Files of pairs of claim and evidence with labels: to fit the confidence on as "
                   "well")
      ->type_name("FILE");
  verb->add_option("--sample", options->sample,
                   "Only so many claims of each file, spread evenly over it; 0 is all")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();
  add_model_options(*verb, options->search);
  add_search_options(*verb, options->search);
  verb->add_flag("--json", options->json, "One object instead of Markdown");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
