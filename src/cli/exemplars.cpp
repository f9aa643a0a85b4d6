#include <fmt/format.h>

#include <limits>

#include "audit/exemplar_build.h"
#include "cli/admit_options.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/exemplar_print.h"
#include "cli/verbs.h"
#include "data/claims.h"
#include "memmatch/error.h"
#include "search/verdict_json.h"
#include "text/unicode.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string exemplars;
  SearchArguments search;
  AuditArguments audit;
  std::string tag;
  std::string label;
  std::string gold;
  std::string predicted;
  std::vector<std::string> claims;
  GivenEvidence evidence;
  std::vector<ExemplarId> ids;
  std::uint64_t limit = 0;
  bool sources = false;
  bool json = false;
};

Label label_of(const std::string& name) {
  if (const std::optional<Label> label = data::parse_label(name)) return *label;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("label '{}' is none of SUPPORTS, REFUTES, NOT ENOUGH INFO", name));
}

std::optional<Label> optional_label(const std::string& name) {
  return name.empty() ? std::nullopt : std::optional(label_of(name));
}

void print(const Exemplar& exemplar, bool json) {
  json ? print_json(search::to_json(exemplar)) : print_exemplar(exemplar);
}

void add(const Options& options) {
  const Label label = label_of(options.label);
  Verifier verifier = open_verifier(options.search);
  std::vector<audit::ExemplarClaim> claims;
  for (const std::string& claim : options.claims) {
    claims.push_back({claim, label, std::nullopt});
    if (options.evidence.text.empty()) continue;
    claims.back().evidence = options.evidence;
    claims.back().evidence->raw_title = options.evidence.title;
  }
  const std::vector<NewExemplar> decided = audit::decide(verifier, claims, options.search.search);
  if (decided.size() < claims.size()) {
    throw Error(ErrorKind::not_found,
                "there is no evidence for a claim in the datastore; give it by --evidence");
  }
  Exemplars exemplars = Exemplars::open(options.exemplars, Exemplars::Access::create);
  for (const NewExemplar& exemplar : decided) {
    const ExemplarId id = exemplars.add(options.tag, verifier.fingerprint(), exemplar);
    print(exemplars.exemplar(id), options.json);
  }
}

void relabel(const Options& options) {
  const Label label = label_of(options.label);
  Exemplars exemplars = Exemplars::open(options.exemplars, Exemplars::Access::write);
  for (const ExemplarId id : options.ids) print(exemplars.relabel(id, label), options.json);
}

void remove(const Options& options) {
  if (options.ids.empty() == options.tag.empty())
    throw Error(ErrorKind::invalid_argument, "give either exemplars' numbers or --tag");
  Exemplars exemplars = Exemplars::open(options.exemplars, Exemplars::Access::write);
  for (const ExemplarId id : options.ids) print(exemplars.remove(id), options.json);
  if (options.tag.empty()) return;
  const std::uint64_t gone = exemplars.remove_source(options.tag);
  if (options.json) return print_json({{"tag", options.tag}, {"removed", gone}});
  fmt::print("{} exemplars of '{}' removed\n", gone, options.tag);
}

void list_sources(Exemplars& exemplars, bool json) {
  for (const ExemplarSource& source : exemplars.sources()) {
    if (json) {
      print_json({{"tag", source.tag},
                  {"exemplars", source.exemplars},
                  {"relabelled", source.relabelled},
                  {"done", source.done},
                  {"total", source.total},
                  {"setting", source.setting}});
      continue;
    }
    fmt::print("{:<24}{:>10} exemplars", source.tag, source.exemplars);
    if (source.relabelled > 0) fmt::print(", {} re-labelled", source.relabelled);
    if (!source.complete()) {
      fmt::print(", not finished: {} of {} claims; build again to go on", source.done,
                 source.total);
    }
    fmt::print("\n");
  }
}

void list(const Options& options) {
  Exemplars exemplars = Exemplars::open(options.exemplars, Exemplars::Access::read);
  if (options.sources) return list_sources(exemplars, options.json);
  exemplars.for_each({.tag = options.tag,
                      .gold = optional_label(options.gold),
                      .predicted = optional_label(options.predicted),
                      .limit = options.limit},
                     [&](const Exemplar& exemplar) { print(exemplar, options.json); });
}

void check(const Options& options) {
  Exemplars exemplars = Exemplars::open(options.exemplars, Exemplars::Access::read);
  const std::vector<std::string> problems = exemplars.check();
  if (options.json) {
    print_json({{"ok", problems.empty()}, {"problems", problems}});
  } else {
    for (const std::string& problem : problems) fmt::print("{}\n", problem);
    if (problems.empty()) fmt::print("{}: nothing wrong\n", options.exemplars);
  }
  if (!problems.empty()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: {} problems found; restore a copy, or build it "
                            "again",
                            options.exemplars, problems.size()));
  }
}

void print_audit(const Verdict& verdict) {
  fmt::print("{}  {}\n", fever_name(verdict.label), verdict.claim);
  for (const Evidence& evidence : verdict.evidence) {
    fmt::print("       {}, sentence {}: {}{}\n", evidence.title, evidence.number, evidence.text,
               evidence.edited ? "  (edited since import)" : "");
  }
  print_exemplar_audit(verdict, true);
}

void audit(Options& options) {
  options.audit.exemplars = options.exemplars;
  options.evidence.raw_title = options.evidence.title;
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  Trust trust = open_trust("none", options.audit, options.search, verifier);
  const SearchOptions& search = options.search.search;
  const std::vector<GivenEvidence> given{options.evidence};
  for (const std::string& claim : options.claims) {
    Verdict verdict =
        options.evidence.text.empty()
            ? verifier.verify(claim, search)
            : std::move(verifier.verify_given({&claim, 1}, {&given, 1}, search).front());
    trust.apply(search, {&verdict, 1});
    options.json ? print_json(search::to_json(verdict)) : print_audit(verdict);
  }
}

CLI::App* add_part(CLI::App& parent, std::shared_ptr<Options> options, const std::string& name,
                   const std::string& summary, const std::string& examples, void (*run)(Options&)) {
  CLI::App* part = add_verb(parent, name, summary, examples);
  part->add_option("--exemplars", options->exemplars, "The exemplar database")
      ->type_name("FILE")
      ->required();
  part->add_flag("--json", options->json, "One object a line");
  part->callback([options, run] { run(*options); });
  return part;
}

template <void (*run)(const Options&)>
void constant(Options& options) {
  run(options);
}

void add_given_evidence(CLI::App& part, Options& options) {
  auto* text = part.add_option("--evidence", options.evidence.text,
                               "The evidence, a sentence; by default the search retrieves it");
  part.add_option("--title", options.evidence.title, "The evidence's title")->needs(text);
  part.add_option("--number", options.evidence.number, "Its number within the document [0]")
      ->needs(text)
      ->check(whole_number(0, std::numeric_limits<int>::max()));
}

void add_label(CLI::App& part, Options& options) {
  part.add_option("--label", options.label, "The right label: SUPPORTS, REFUTES, NOT ENOUGH INFO")
      ->required();
}

void add_ids(CLI::App& part, Options& options) {
  part.add_option("ID", options.ids, "Exemplars, by the numbers that 'list' shows");
}

}  // namespace

void add_exemplars(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "exemplars", "Known decisions that new ones are audited by",
      "memmatch exemplars build --exemplars e.db --claims train.jsonl --tag train --store "
      "facts.db --model models/default\n"
      "memmatch exemplars audit 'The Moon has no atmosphere.' --exemplars e.db --store facts.db "
      "--model models/default\n"
      "memmatch exemplars relabel 17 --label REFUTES --exemplars e.db");
  verb->require_subcommand(1);
  add_exemplars_build(*verb);

  CLI::App* part = add_part(
      *verb, options, "add", "Add an exemplar: the model decides on a claim whose label you know",
      "memmatch exemplars add 'The Moon has no atmosphere.' --label REFUTES --tag corrections "
      "--exemplars e.db --store facts.db --model models/default",
      constant<add>);
  part->add_option("CLAIM", options->claims, "Claims")->required();
  add_label(*part, *options);
  part->add_option("--tag", options->tag, "The source that it is to belong to")->required();
  add_given_evidence(*part, *options);
  add_model_options(*part, options->search);
  add_search_options(*part, options->search);

  part =
      add_part(*verb, options, "relabel", "Change what is right for an exemplar",
               "memmatch exemplars relabel 17 --label REFUTES --exemplars e.db", constant<relabel>);
  add_ids(*part, *options);
  part->get_option("ID")->required();
  add_label(*part, *options);

  part = add_part(*verb, options, "remove", "Remove exemplars, or a whole source",
                  "memmatch exemplars remove 17 18 --exemplars e.db\n"
                  "memmatch exemplars remove --tag train --exemplars e.db",
                  constant<remove>);
  add_ids(*part, *options);
  part->add_option("--tag", options->tag, "The source to remove");

  part = add_part(*verb, options, "list", "The exemplars, or their sources",
                  "memmatch exemplars list --exemplars e.db --tag train --gold REFUTES --limit 10\n"
                  "memmatch exemplars list --exemplars e.db --sources",
                  constant<list>);
  part->add_flag("--sources", options->sources, "Only the tags, with how many there are of each");
  part->add_option("--tag", options->tag, "Only of this source");
  part->add_option("--gold", options->gold, "Only with this right label");
  part->add_option("--predicted", options->predicted, "Only where the model said this");
  part->add_option("--limit", options->limit, "Only the first so many; 0 is all")
      ->check(whole_number(0, kMostClaims))
      ->capture_default_str();

  add_part(*verb, options, "check", "Look for damage, everywhere",
           "memmatch exemplars check --exemplars e.db", constant<check>);

  part = add_part(*verb, options, "audit",
                  "A verdict and the exemplars that it resembles, with their evidence",
                  "memmatch exemplars audit 'The Moon has no atmosphere.' --exemplars e.db --store "
                  "facts.db --model models/default",
                  audit);
  part->add_option("CLAIM", options->claims, "Claims")->required();
  options->audit.options.nearest = 3;
  part->add_option("--nearest", options->audit.options.nearest, "How many to show")
      ->check(whole_number(1, 1000))
      ->capture_default_str();
  add_given_evidence(*part, *options);
  add_model_options(*part, options->search);
  add_search_options(*part, options->search);
}

}  // namespace memmatch::cli
