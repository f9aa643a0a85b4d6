#include <fmt/format.h>

#include <unordered_map>

#include "base/files.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/verbs.h"
#include "data/claims.h"
#include "eval/cover_figures.h"
#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "text/unicode.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string store;
  std::vector<std::string> claims;
  std::string claims_file;
  InputFormat input = InputFormat::text;
  bool skip_bad_lines = false;
  bool json = false;
  Candidates candidates = Candidates::cover;
};

Json to_json(const std::string& claim, const Cover& cover, Datastore& store) {
  Json titles = Json::array();
  std::unordered_map<DocumentId, const Document*> documents;
  for (const Document& document : cover.documents) {
    titles.push_back({{"title", document.title},
                      {"raw_title", document.raw_title},
                      {"key", document.match_key}});
    documents[document.id] = &document;
  }
  Json sentences = Json::array();
  for (const Candidate& candidate : cover.sentences) {
    const std::optional<Sentence> sentence = store.sentence(candidate.id);
    if (!sentence) continue;
    sentences.push_back({{"id", candidate.id},
                         {"title", documents.at(candidate.document)->title},
                         {"number", candidate.number},
                         {"text", sentence->text}});
  }
  return {{"claim", claim}, {"titles", titles}, {"sentences", sentences}};
}

void print_readable(const std::string& claim, const Cover& cover, Datastore& store) {
  fmt::print("{}\ntitles: {}, candidate sentences: {}\n", claim, cover.documents.size(),
             cover.sentences.size());
  for (const Document& document : cover.documents) {
    fmt::print("\n{}\n", document.title);
    for (const Candidate& candidate : cover.sentences) {
      if (candidate.document != document.id) continue;
      if (const std::optional<Sentence> sentence = store.sentence(candidate.id))
        fmt::print("  {:>3}  {}\n", sentence->number, sentence->text);
    }
  }
}

void show_claim(const std::string& text, Datastore& store, const Options& options) {
  const std::string claim = text::tidy(text);
  if (claim.empty()) throw Error(ErrorKind::invalid_argument, "the claim is empty");
  const Datastore::Snapshot snapshot = store.snapshot();
  const Cover cover = store.candidates(claim, options.candidates);
  options.json ? print_json(to_json(claim, cover, store)) : print_readable(claim, cover, store);
}

void print_figures(const eval::CoverFigures& figures, bool json) {
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  const double titles = ratio(figures.titles, figures.claims);
  const double sentences = ratio(figures.sentences, figures.claims);
  const double any_title = 100 * ratio(figures.any_gold_title, figures.verifiable);
  const double full_set = 100 * ratio(figures.full_gold_set, figures.verifiable);
  if (json) {
    return print_json({{"claims", figures.claims},
                       {"titles_per_claim", titles},
                       {"sentences_per_claim", sentences},
                       {"verifiable", figures.verifiable},
                       {"any_gold_title", any_title},
                       {"full_gold_set", full_set},
                       {"without_candidates", figures.without_candidates}});
  }
  fmt::print("claims                          {:>8}\n", figures.claims);
  fmt::print("titles per claim                {:>8.2f}\n", titles);
  fmt::print("candidates per claim            {:>8.2f}\n", sentences);
  fmt::print("verifiable claims               {:>8}\n", figures.verifiable);
  fmt::print("  at least one gold title       {:>8.2f} %\n", any_title);
  fmt::print("  a complete gold set           {:>8.2f} %\n", full_set);
  fmt::print("claims without a candidate      {:>8}\n", figures.without_candidates);
}

void show_figures(const Options& options, Datastore& store) {
  eval::CoverFigures figures;
  data::ClaimReader reader(options.claims_file, options.skip_bad_lines);
  {
    const Datastore::Snapshot snapshot = store.snapshot();
    ProgressLine progress("covering", "bytes");
    for (data::Claim claim; reader.next(claim);) {
      eval::count_cover(store, claim, figures, options.candidates);
      progress.update({reader.bytes_read(), size_or_zero(options.claims_file)});
    }
  }
  report_bad_lines(reader.bad_lines());
  print_figures(figures, options.json);
}

void run(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::read);
  if (!options.claims_file.empty()) return show_figures(options, store);
  if (options.claims.empty())
    throw Error(ErrorKind::invalid_argument, "give a claim, '-' or --claims FILE");
  for (const std::string& claim : options.claims) {
    if (claim != "-") {
      show_claim(claim, store, options);
      continue;
    }
    for_each_text("-", options.input,
                  [&](const std::string& text) { show_claim(text, store, options); });
  }
}

}  // namespace

void add_cover(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(program, "cover", "The titles and sentences that a claim's words reach",
                            "memmatch cover 'Ada Lovelace wrote a program.' --store facts.db\n"
                            "memmatch cover --claims dev.jsonl --store facts.db");
  verb->add_option("--store", options->store, "The datastore")->type_name("FILE")->required();
  auto* claims = verb->add_option("CLAIM", options->claims,
                                  "Claims to show; '-' reads them from standard input, one a line");
  verb->add_option("--claims", options->claims_file,
                   "A FEVER or symmetric claim file: prints how much evidence the cover reaches")
      ->type_name("FILE")
      ->excludes(claims);
  add_input_option(*verb, options->input);
  verb->add_option("--candidates", options->candidates,
                   "The titles that the claim names (cover), the words that it shares (words), or "
                   "both, as a search has it (auto)")
      ->transform(choice(std::map<std::string, Candidates>{{"cover", Candidates::cover},
                                                           {"words", Candidates::words},
                                                           {"auto", Candidates::automatic}}))
      ->option_text("auto|cover|words [cover]");
  verb->add_flag("--skip-bad-lines", options->skip_bad_lines,
                 "With --claims: count and report bad lines instead of stopping");
  verb->add_flag("--json", options->json,
                 "One object a claim; with --claims one object, shares in percent");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
