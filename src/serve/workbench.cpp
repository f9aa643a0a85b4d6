#include "serve/workbench.h"

#include <algorithm>
#include <thread>

namespace memmatch::serve {
namespace {

// While a change waits for another process, the engine waits, too. That nobody is writing is known
// before, so this is for whoever comes in between.
constexpr std::chrono::milliseconds kPatience{100};

int thread_count(const Verifier::Settings& settings) {
  return settings.threads > 0 ? settings.threads
                              : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

Workbench::Workbench(const Files& files, const Verifier::Settings& settings)
    : store_file(files.store),
      verifier(Verifier::open(files.store, files.model, settings)),
      calibration(audit::find_calibration(
          files.model, verifier.model_fingerprint(),
          settings.int8 ? engine::Precision::int8 : engine::Precision::fp32)) {
  if (!settings.read_only) {
    store.emplace(Datastore::open(files.store, Datastore::Access::write, kPatience));
    editor.emplace(files.store, kPatience);
  }
  if (files.exemplars.empty()) return;
  if (!settings.read_only)
    exemplars.emplace(Exemplars::open(files.exemplars, Exemplars::Access::create, kPatience));
  exemplars_file.emplace(files.exemplars);
  auditor.emplace(files.exemplars, verifier.fingerprint(), thread_count(settings));
}

std::string Workbench::default_rule() const {
  return calibration ? audit::default_rule(*calibration).text() : std::string(audit::kNoRule);
}

bool Workbench::files_in_place() const {
  return store_file.in_place() && (!exemplars_file || exemplars_file->in_place());
}

ReadingDesk::ReadingDesk(const Files& files)
    : store(Datastore::open(files.store, Datastore::Access::read)), titles(files.store) {
  if (!files.exemplars.empty())
    exemplars.emplace(Exemplars::open(files.exemplars, Exemplars::Access::read));
}

}  // namespace memmatch::serve
