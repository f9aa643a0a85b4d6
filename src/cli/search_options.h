#pragma once

#include <CLI/CLI.hpp>

#include "cli/common.h"
#include "cli/engine_options.h"
#include "memmatch/temporary_store.h"
#include "memmatch/verifier.h"

namespace memmatch::cli {

// What all verbs that search have in common.
struct SearchArguments {
  std::string store;
  std::string model;
  SearchOptions search;
  EngineOptions engine;
  bool read_only = false;
  std::uint64_t memory_limit = 0;  // see Verifier::Settings
};

// --model, which need not be given where a model is found: the one that MEMMATCH_MODEL names, or
// models/default beside the program, where it was built or installed.
void add_model_option(CLI::App& verb, std::string& model);

// --store, --model, --precision, --threads, --read-only. Gives --store.
CLI::Option* add_model_options(CLI::App& verb, SearchArguments& arguments);

// --candidates.
CLI::Option* add_candidates_option(CLI::App& verb, Candidates& candidates);

// How wide a search may be.
struct WidthLimits {
  int k1 = 10'000;
  int least_z = 0;
  int z = 10'000;
};

// --k1, --z, --two-class, --candidates, --memory-limit.
void add_search_options(CLI::App& verb, SearchArguments& arguments, const WidthLimits& limits = {});

// A datastore of what --against names. Says on stderr what was left out.
TemporaryStore open_files(const std::vector<std::string>& paths, const FileArguments& reading);

// Without a datastore where none is named.
Verifier open_verifier(const SearchArguments& arguments);

// Says on stderr what the user ought to know before a search: which other model the store was
// indexed with, or how much memory the whole store takes.
void announce(Verifier& verifier, const SearchArguments& arguments);

}  // namespace memmatch::cli
