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

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  AuditArguments audit;
  std::vector<std::string> claims;
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
                        audit::words_of(*admission.confidence));
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
    fmt::print(
        "  nothing was found by titles or words; all {} indexed sentences were searched\n",
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

void print_readable(const Verdict& verdict, Datastore& store) {
  fmt::print("{}  {}\n", coloured(verdict.label), verdict.claim);
  print_distances(verdict);
  if (verdict.admission) print_admission(*verdict.admission);
  for (std::size_t i = 0; i < verdict.evidence.size(); ++i) {
    const Evidence& evidence = verdict.evidence[i];
    fmt::print(
        "  {}. {}, sentence {}: {}\n"
        "     level 2: {:.3f}, level 1: {:.3f} (rank {}), shared letters: {}{}\n",
        i + 1, evidence.title, evidence.number, evidence.text, evidence.level2_distance,
        evidence.level1_distance, evidence.level1_rank, evidence.shared_letters, remarks(evidence));
  }
  print_candidates(verdict);
  for (const std::string& warning : verdict.warnings) fmt::print("  note: {}\n", warning);
  print_exemplar_audit(verdict, false);
  if (verdict.beams) {
    print_beam("level 1", verdict.beams->level1, store);
    print_beam("level 2", verdict.beams->level2, store);
    fmt::print("  milliseconds: cover {:.1f}, level 1 {:.1f}, level 2 {:.1f}, level 3 {:.1f}\n",
               1e3 * verdict.times.cover, 1e3 * verdict.times.level1, 1e3 * verdict.times.level2,
               1e3 * verdict.times.level3);
  }
}

void run(Options& options) {
  if (options.claims.empty())
    throw Error(ErrorKind::invalid_argument, "give a claim, or '-' for standard input");
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  if (options.admit.empty()) options.admit = default_admission(options.search, verifier);
  Trust trust(options.admit, options.audit, options.search, verifier);
  const auto verify = [&](const std::string& claim) {
    Verdict verdict = verifier.verify(claim, options.search.search);
    trust.apply(options.search.search, {&verdict, 1});
    options.json ? print_json(search::to_json(verdict)) : print_readable(verdict, verifier.store());
  };
  for (const std::string& claim : options.claims) {
    claim == "-" ? for_each_text("-", options.input, verify) : verify(claim);
  }
}

}  // namespace

void add_verify(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "verify", "Verdicts on claims, with their evidence",
      "memmatch verify 'The Moon has no atmosphere.' --store facts.db --model models/default\n"
      "memmatch verify - --store facts.db --model models/default --json < claims.txt");
  add_model_options(*verb, options->search);
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
