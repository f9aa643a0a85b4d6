#include "cli/service_options.h"

#include <fmt/format.h>

#include "cli/admit_options.h"
#include "memmatch/version.h"

namespace memmatch::cli {

void add_service_options(CLI::App& verb, ServiceArguments& arguments) {
  add_model_options(verb, arguments.search);
  verb.add_option("--exemplars", arguments.exemplars,
                  "An exemplar database; made where there is none")
      ->type_name("FILE");
  add_search_options(verb, arguments.search,
                     {.k1 = serve::limits::kK1, .least_z = 1, .z = serve::limits::kZ});
  add_admit_option(verb, arguments.admit)
      ->default_str("confidence:0.8, or what else the calibration allows");
}

serve::ServiceSettings service_settings(const ServiceArguments& arguments,
                                        const std::string& verb) {
  serve::ServiceSettings settings;
  settings.files = {arguments.search.store, arguments.search.model, arguments.exemplars};
  settings.verifier = {.int8 = arguments.search.engine.precision == engine::Precision::int8,
                       .threads = thread_count(arguments.search.engine),
                       .read_only = arguments.search.read_only,
                       .memory_limit = arguments.search.memory_limit};
  settings.defaults = {arguments.search.search, arguments.admit};
  settings.version = MEMMATCH_VERSION;
  settings.log = [verb](const std::string& message) {
    fmt::print(stderr, "memmatch {}: {}\n", verb, message);
  };
  return settings;
}

}  // namespace memmatch::cli
