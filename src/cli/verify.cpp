#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/admit_options.h"
#include "cli/common.h"
#include "cli/exemplar_print.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "memmatch/error.h"
#include "search/verdict_json.h"
#include "text/statement.h"
#include "text/unicode.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  AuditArguments audit;
  std::vector<std::string> claims;
  std::vector<std::string> against;   // files and folders, in place of a datastore
  FileArguments reading;              // of these
  std::vector<std::string> evidence;  // texts, in place of a search
  bool any_text = false;
  InputFormat input = InputFormat::text;
  std::string admit;
  bool json = false;
};

std::string coloured(Label label) {
  const std::string name(fever_name(label));
  if (::isatty(STDOUT_FILENO) != 1) return name;
  const fmt::terminal_color color = label == Label::supports  ? fmt::terminal_color::green
                                    : label == Label::refutes ? fmt::terminal_color::red
                                                              : fmt::terminal_color::yellow;
  return fmt::format(fmt::emphasis::bold | fmt::fg(color), "{}", name);
}

std::string remarks(const Evidence& evidence) {
  std::string text;
  if (evidence.edited) text += ", edited since import";
  if (evidence.pieces_seen == 0) text += ", not seen by level 3 (no room)";
  if (evidence.pieces_seen > 0 && evidence.pieces_seen < evidence.pieces) {
    text += fmt::format(", seen up to piece {} of {}", evidence.pieces_seen, evidence.pieces);
  }
  return text;
}

void print_distances(const Verdict& verdict) {
  static constexpr std::string_view kNames[] = {"supports", "refutes", "unverifiable"};
  std::string line;
  for (std::size_t i = 0; i < verdict.label_distances.size(); ++i) {
    if (!verdict.label_distances[i]) continue;
    line += fmt::format("{}{} {:.3f}", line.empty() ? "" : "   ", kNames[i],
                        *verdict.label_distances[i]);
  }
  if (!line.empty()) fmt::print("  distances: {}\n", line);
}

void print_admission(const Admission& admission) {
  std::string text =
      fmt::format("{} ({})", admission.admitted ? "admitted" : "not admitted", admission.rule);
  if (admission.confidence) {
    text += fmt::format(", confidence {:.3f}: {}", *admission.confidence,
                        in_words(*admission.confidence));
  }
  const bool warn = !admission.admitted && ::isatty(STDOUT_FILENO) == 1;
  fmt::print("  {}\n", warn ? fmt::format(fmt::emphasis::bold, "{}", text) : text);
  for (const std::string& reason : admission.reasons) fmt::print("    {}\n", reason);
}

void print_candidates(const Verdict& verdict) {
  if (verdict.candidates == 0 && !verdict.warnings.empty()) return;  // these say why
  if (verdict.candidates == 0) {
    fmt::print("  no sentence to verify it against\n");
  } else if (verdict.origin == CandidateOrigin::fallback) {
    fmt::print("  nothing was found by titles or words; all {} indexed sentences were searched\n",
               verdict.candidates);
  } else {
    fmt::print("  candidates: {} sentences{}\n", verdict.candidates,
               verdict.origin == CandidateOrigin::all ? ", the whole datastore" : "");
  }
}

void print_beam(const char* name, const std::vector<BeamEntry>& beam, Datastore& store) {
  fmt::print("  {}:\n", name);
  for (std::size_t i = 0; i < beam.size(); ++i) {
    const auto sources = store.vector_sources(std::span(&beam[i].id, 1));
    if (sources.empty()) continue;
    const double credit = beam[i].credit;  // for shared words
    fmt::print("    {:>3}  {:8.3f}{}  {}, sentence {}: {}\n", i, beam[i].distance,
               credit > 0 ? fmt::format(" - {:6.2f}", credit) : "", sources[0].title,
               sources[0].number, sources[0].text);
  }
}

void print_readable(const Verdict& verdict, Datastore* store) {
  fmt::print("{}  {}\n", coloured(verdict.label), verdict.claim);
  print_distances(verdict);
  if (verdict.admission) print_admission(*verdict.admission);
  for (std::size_t i = 0; i < verdict.evidence.size(); ++i) {
    const Evidence& evidence = verdict.evidence[i];
    const std::string place =
        evidence.title.empty() ? ""
                               : fmt::format("{}, sentence {}: ", evidence.title, evidence.number);
    fmt::print(
        "  {}. {}{}\n"
        "     level 2: {:.3f}, level 1: {:.3f} (rank {}), shared letters: {}{}\n",
        i + 1, place, evidence.text, evidence.level2_distance, evidence.level1_distance,
        evidence.level1_rank, evidence.shared_letters, remarks(evidence));
  }
  print_candidates(verdict);
  for (const std::string& warning : verdict.warnings) fmt::print("  note: {}\n", warning);
  print_exemplar_audit(verdict, false);
  if (verdict.beams && store) {
    print_beam("level 1", verdict.beams->level1, *store);
    print_beam("level 2", verdict.beams->level2, *store);
    fmt::print("  milliseconds: cover {:.1f}, level 1 {:.1f}, level 2 {:.1f}, level 3 {:.1f}\n",
               1e3 * verdict.times.cover, 1e3 * verdict.times.level1, 1e3 * verdict.times.level2,
               1e3 * verdict.times.level3);
  }
}

// The sentences of --evidence, those that are too long for the model in parts.
std::vector<GivenEvidence> given_evidence(const Options& options, const Verifier& verifier) {
  std::vector<GivenEvidence> given;
  for (const std::string& text : options.evidence) {
    const std::string tidied = text::tidy(text);
    if (tidied.empty()) throw Error(ErrorKind::invalid_argument, "--evidence: the text is empty");
    for (GivenEvidence& part : verifier.sentences_of({"", "", 0, tidied}))
      given.push_back(std::move(part));
  }
  return given;
}

void print_not_judged(const std::string& claim, std::string_view why, bool json) {
  if (json) return print_json({{"claim", claim}, {"not_judged", fmt::format("it {}", why)}});
  fmt::print("NOT JUDGED  {}\n  it {}; --any-text judges it all the same\n", claim, why);
}

void check_sources(const Options& options) {
  if (options.claims.empty())
    throw Error(ErrorKind::invalid_argument, "give a claim, or '-' for standard input");
  const int sources = (options.search.store.empty() ? 0 : 1) + (options.against.empty() ? 0 : 1) +
                      (options.evidence.empty() ? 0 : 1);
  if (sources == 1) return;
  throw Error(ErrorKind::invalid_argument,
              "say what to verify against: --store, --against or --evidence, one of them");
}

void run(Options& options) {
  check_sources(options);
  std::optional<TemporaryStore> files;
  if (!options.against.empty())
    options.search.store = files.emplace(open_files(options.against, options.reading)).file();
  Verifier verifier = open_verifier(options.search);
  const bool stored = options.evidence.empty();
  if (stored) announce(verifier, options.search);
  const std::vector<GivenEvidence> given = given_evidence(options, verifier);
  Trust trust = open_trust(options.admit, options.audit, options.search, verifier);
  const auto verify = [&](const std::string& claim) {
    if (const auto why = text::why_no_statement(claim);
        why && !options.any_text && !text::tidy(claim).empty())
      return print_not_judged(claim, *why, options.json);
    Verdict verdict =
        stored
            ? verifier.verify(claim, options.search.search)
            : std::move(
                  verifier.verify_given({&claim, 1}, {&given, 1}, options.search.search).front());
    trust.apply(options.search.search, {&verdict, 1});
    options.json ? print_json(search::to_json(verdict))
                 : print_readable(verdict, stored ? &verifier.store() : nullptr);
  };
  for (const std::string& claim : options.claims) {
    claim == "-" ? for_each_text("-", options.input, verify) : verify(claim);
  }
}

}  // namespace

void add_verify(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "verify", "Verdicts on claims, with their evidence",
               "memmatch verify 'The Moon has no atmosphere.' --store facts.db\n"
               "memmatch verify 'The pool is closed on Mondays.' --against notes/ rules.txt\n"
               "memmatch verify 'The pool is closed.' --evidence 'The pool opens at nine.'\n"
               "memmatch verify - --store facts.db --json < claims.txt");
  add_model_options(*verb, options->search)->required(false);
  verb->add_option("--against", options->against,
                   "Files and folders to verify against, in place of a datastore")
      ->option_text("PATH...");
  add_file_options(*verb, options->reading);
  verb->add_option("--evidence", options->evidence,
                   "A text to verify against, in place of a search; several, each with its own")
      ->option_text("TEXT...");
  verb->add_flag("--any-text", options->any_text,
                 "Judge also what is no statement: questions, file names, single words");
  add_search_options(*verb, options->search);
  add_audit_options(*verb, options->audit);
  verb->add_option("CLAIM", options->claims,
                   "Claims; '-' reads them from standard input, one a line");
  add_input_option(*verb, options->input);
  add_admit_option(*verb, options->admit)
      ->default_str("confidence:0.8, or what else the calibration allows");
  verb->add_flag("--explain", options->search.search.explain,
                 "Also what levels 1 and 2 kept, and the times");
  verb->add_flag("--json", options->json, "One object a claim");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
