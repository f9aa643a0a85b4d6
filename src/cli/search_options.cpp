#include "cli/search_options.h"

#include "base/files.h"
#include "cli/checks.h"

#include <fmt/format.h>

#include <cstdlib>

namespace memmatch::cli {

namespace {

// Where it is after a build, a test build and an installation, seen from the program's folder.
constexpr const char* kModelPlaces[] = {"../models/default", "../../models/default",
                                        "../share/memmatch/models/default"};

std::string find_model() {
  if (const char* named = std::getenv("MEMMATCH_MODEL")) return named;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* place : kModelPlaces) {
    const std::filesystem::path model = (program.parent_path() / place).lexically_normal();
    if (path_exists(model / "config.json")) return model;
  }
  return {};
}

}  // namespace

void add_model_option(CLI::App& verb, std::string& model) {
  model = find_model();
  CLI::Option* option =
      verb.add_option("--model", model, "The model's folder")->type_name("FOLDER");
  model.empty() ? option->required() : option->capture_default_str();
}

CLI::Option* add_model_options(CLI::App& verb, SearchArguments& arguments) {
  CLI::Option* store =
      verb.add_option("--store", arguments.store, "The datastore")->type_name("FILE")->required();
  add_model_option(verb, arguments.model);
  add_engine_options(verb, arguments.engine);
  verb.add_flag("--read-only", arguments.read_only,
                "Do not keep vectors that have to be made on the way");
  return store;
}

CLI::Option* add_candidates_option(CLI::App& verb, Candidates& candidates) {
  std::map<std::string, Candidates> names;
  for (const Candidates one :
       {Candidates::automatic, Candidates::cover, Candidates::words, Candidates::all})
    names.emplace(name_of(one), one);
  return verb
      .add_option("--candidates", candidates,
                  "What is searched: the titles that the claim names (cover), the words that it "
                  "shares (words), both (auto), or the whole store by its vectors (all)")
      ->transform(choice(std::move(names)))
      ->option_text("auto|cover|words|all [auto]");
}

void add_search_options(CLI::App& verb, SearchArguments& arguments, const WidthLimits& limits) {
  verb.add_option("--k1", arguments.search.k1, "Sentences that level 1 keeps")
      ->check(whole_number(1, limits.k1))
      ->capture_default_str();
  verb.add_option("--z", arguments.search.z,
                  limits.least_z > 0
                      ? "Sentences that level 2 keeps: the evidence"
                      : "Sentences that level 2 keeps: the evidence; 0 decides on the claim alone")
      ->check(whole_number(limits.least_z, limits.z))
      ->capture_default_str();
  verb.add_flag("--two-class", arguments.search.two_class, "Leave out 'unverifiable'");
  add_candidates_option(verb, arguments.search.candidates);
  verb.add_option("--memory-limit", arguments.memory_limit,
                  "Bytes, or as 500MB or 4GB, that a search of the whole store may take; by "
                  "default half of the machine's memory")
      ->transform(CLI::AsSizeValue(false))
      ->option_text("BYTES");
}

TemporaryStore open_files(const std::vector<std::string>& paths, const FileArguments& reading) {
  TemporaryStore files = TemporaryStore::of_paths(
      paths, {.skip_bad_files = reading.skip_bad_files, .largest_file = reading.largest});
  for (const std::string& line : files.left_out()) fmt::print(stderr, "{}\n", line);
  return files;
}

Verifier open_verifier(const SearchArguments& arguments) {
  const Verifier::Settings settings{.int8 = arguments.engine.precision == engine::Precision::int8,
                                    .threads = thread_count(arguments.engine),
                                    .read_only = arguments.read_only,
                                    .memory_limit = arguments.memory_limit};
  return arguments.store.empty() ? Verifier::open(arguments.model, settings)
                                 : Verifier::open(arguments.store, arguments.model, settings);
}

void announce(Verifier& verifier, const SearchArguments& arguments) {
  if (!verifier.has_vectors() && verifier.has_vectors_of_others()) {
    fmt::print(
        stderr,
        "{0} is indexed with another model or precision; vectors are made as they are needed, "
        "and\n'memmatch index --store {0} --model {1}{2}' makes them all\n",
        arguments.store, arguments.model,
        arguments.engine.precision == engine::Precision::int8 ? " --precision int8" : "");
  }
  const Candidates candidates = arguments.search.candidates;
  if (candidates != Candidates::all && candidates != Candidates::cover &&
      !verifier.store().has_words()) {
    fmt::print(
        stderr,
        "{0} is of an earlier format, without an index of words: only titles are looked for; "
        "'memmatch index --store {0} --model {1}' makes it\n",
        arguments.store, arguments.model);
  }
  if (candidates != Candidates::all) return;
  const IndexState state = verifier.index_state();
  fmt::print(stderr, "the whole store: {} vectors, {} MB in memory\n", state.indexed,
             state.bytes >> 20);
  if (state.missing > 0) {
    fmt::print(stderr,
               "{} sentences have no vector yet and are not searched; run 'memmatch index' first\n",
               state.missing);
  }
}

}  // namespace memmatch::cli
