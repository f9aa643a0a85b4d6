#pragma once

#include <string>

#include "cli/search_options.h"
#include "serve/service.h"

namespace memmatch::cli {

// What the verbs that serve others have in common.
struct ServiceArguments {
  SearchArguments search;
  std::string exemplars;
  std::string admit;
};

// --store, --model and their like, --exemplars, what to search by default, --admit.
void add_service_options(CLI::App& verb, ServiceArguments& arguments);

// `verb` is the name that stands in front of what is logged.
serve::ServiceSettings service_settings(const ServiceArguments& arguments, const std::string& verb);

}  // namespace memmatch::cli
