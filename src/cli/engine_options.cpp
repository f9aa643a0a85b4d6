#include "cli/engine_options.h"

#include "cli/checks.h"

#include <sched.h>

#include <algorithm>

namespace memmatch::cli {

void add_engine_options(CLI::App& verb, EngineOptions& options) {
  const std::map<std::string, engine::Precision> names{{"fp32", engine::Precision::fp32},
                                                       {"int8", engine::Precision::int8}};
  verb.add_option("--precision", options.precision,
                  "Of the encoder's products: int8 is faster and a little less exact")
      ->transform(choice(names))
      ->option_text("fp32|int8 [fp32]");
  verb.add_option("--threads", options.threads, "How many processors to use; 0 is all of them")
      ->check(whole_number(0, 1024))
      ->capture_default_str();
}

int thread_count(const EngineOptions& options) {
  if (options.threads > 0) return options.threads;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return std::max(1, CPU_COUNT(&allowed));
}

}  // namespace memmatch::cli
