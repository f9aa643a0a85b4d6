#include "train/run_start.h"

#include <fmt/format.h>

#include "base/files.h"
#include "memmatch/error.h"
#include "train/new_model.h"

namespace memmatch::train {
namespace {

namespace fs = std::filesystem;

// A run may go on with a changed recipe, such as a smaller learning rate; its folder then has the
// new one, and people are told.
void keep_recipe(const Recipe& recipe, const fs::path& run, const TrainOptions& options) {
  const fs::path file = run / "config.toml";
  if (read_file(file) == to_toml(recipe)) return;
  if (options.say)
    options.say(
        fmt::format("{}: the recipe was changed; the run goes on with the new one", file.string()),
        false);
  write_file_atomically(file, to_toml(recipe));
}

}  // namespace

Checkpoint start_of_run(const Recipe& recipe, const TrainOptions& options) {
  if (has_checkpoint(options.run)) {
    if (!options.resume) {
      throw Error(ErrorKind::conflict,
                  fmt::format("{}: there is a run already; go on with it by --resume, or give "
                              "another folder",
                              options.run.string()));
    }
    Checkpoint checkpoint = load_checkpoint(options.run);
    if (checkpoint.state.stage >= static_cast<std::int64_t>(recipe.stages.size())) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("{}: the run is in stage {}, which the recipe no longer has",
                              options.run.string(), checkpoint.state.stage + 1));
    }
    keep_recipe(recipe, options.run, options);
    return checkpoint;
  }
  // A run that ended before its first checkpoint has nothing to lose: it begins again.
  if (options.resume && !path_exists(options.run / "config.toml")) {
    throw Error(ErrorKind::not_found, fmt::format("{}: no run to resume; start it without --resume",
                                                  options.run.string()));
  }
  Checkpoint start{new_model(recipe, options.say), {}, {}};
  make_folders(options.run);
  write_file_atomically(options.run / "config.toml", to_toml(recipe));
  return start;
}

}  // namespace memmatch::train
