#include "serve/workbench.h"

#include <algorithm>
#include <thread>

namespace memmatch::serve {
namespace {

int thread_count(const Verifier::Settings& settings) {
  return settings.threads > 0 ? settings.threads
                              : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

Workbench::Workbench(const Files& files, const Verifier::Settings& settings)
    : verifier(Verifier::open(files.store, files.model, settings)),
      calibration(audit::find_calibration(
          files.model, verifier.model_fingerprint(),
          settings.int8 ? engine::Precision::int8 : engine::Precision::fp32)) {
  if (!settings.read_only) editor.emplace(files.store);
  if (files.exemplars.empty()) return;
  if (!settings.read_only)
    exemplars.emplace(Exemplars::open(files.exemplars, Exemplars::Access::create));
  auditor.emplace(files.exemplars, verifier.fingerprint(), thread_count(settings));
}

ReadingDesk::ReadingDesk(const Files& files)
    : store(Datastore::open(files.store, Datastore::Access::read)), titles(files.store) {
  if (!files.exemplars.empty())
    exemplars.emplace(Exemplars::open(files.exemplars, Exemplars::Access::read));
}

}  // namespace memmatch::serve
