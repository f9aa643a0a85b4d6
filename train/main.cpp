#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <csignal>

#include "memmatch/error.h"
#include "train/trainer.h"

// memmatch-train: what `memmatch train` starts.

namespace {

using memmatch::Error;
using memmatch::ErrorKind;
using namespace memmatch::train;

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

std::atomic<bool> stop = false;
std::atomic<int> stopped_by = 0;

// The first signal stops after the step at hand, a second one at once.
void on_signal(int signal) {
  stopped_by = signal;
  if (stop.exchange(true)) std::_Exit(128 + signal);
}

// Lines that pass overwrite each other on a terminal; elsewhere one a minute is enough.
class Messages {
 public:
  void operator()(const std::string& line, bool passing) {
    const auto now = std::chrono::steady_clock::now();
    if (!passing) {
      fmt::print(stderr, "{}{}\n", on_terminal_ ? "\r\033[K" : "", line);
    } else if (now >= next_) {
      next_ = now + (on_terminal_ ? std::chrono::milliseconds(200) : std::chrono::minutes(1));
      fmt::print(stderr, "{}{}{}", on_terminal_ ? "\r\033[K" : "", line, on_terminal_ ? "" : "\n");
    }
    std::fflush(stderr);
  }

 private:
  bool on_terminal_ = isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point next_;
};

struct Arguments {
  std::string config;
  std::vector<std::string> settings;
  std::string store, dev, start;
  std::vector<std::string> train;
  TrainOptions options;
};

void add_options(CLI::App& program, Arguments& arguments) {
  program.add_option("--config", arguments.config,
                     "The recipe, a TOML file; with --resume the run's own where none is given");
  program.add_option("--run", arguments.options.run, "The run's folder")->required();
  program.add_flag("--resume", arguments.options.resume, "Go on with the run that is there");
  program.add_option(
      "--set", arguments.settings,
      "Change a setting of the recipe, such as encoder.dropout=0 or stage.1.epochs=3");
  program.add_option("--store", arguments.store, "The datastore (data.store)");
  program.add_option("--train", arguments.train, "Files of training claims (data.train)");
  program.add_option("--dev", arguments.dev, "The file of dev claims (data.dev)");
  program.add_option("--start", arguments.start,
                     "The encoder or model to start from (model.start)");
  program.add_option("--threads", arguments.options.threads, "Workers; 0: one for each processor")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  program
      .add_option("--device", arguments.options.device,
                  "cpu, or cuda where LibTorch has it; searches run on the CPU in any case")
      ->capture_default_str();
  program
      .add_option("--checkpoint-minutes", arguments.options.checkpoint_minutes,
                  "How often to write a checkpoint")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

std::string quoted(const std::string& text) { return "'''" + text + "'''"; }

Recipe recipe_of(const Arguments& arguments) {
  std::vector<std::string> settings;
  const auto set = [&](const char* key, const std::string& value) {
    if (!value.empty()) settings.push_back(fmt::format("{}={}", key, quoted(value)));
  };
  set("data.store", arguments.store);
  set("data.dev", arguments.dev);
  set("model.start", arguments.start);
  if (!arguments.train.empty()) {
    std::string list;
    for (const std::string& file : arguments.train) list += quoted(file) + ",";
    settings.push_back("data.train=[" + list + "]");
  }
  settings.insert(settings.end(), arguments.settings.begin(), arguments.settings.end());
  if (!arguments.config.empty()) return read_recipe(arguments.config, settings);
  if (!arguments.options.resume)
    throw Error(ErrorKind::invalid_argument, "--config is missing: which recipe?");
  return read_recipe(arguments.options.run / "config.toml", settings);
}

int run(int argc, char** argv) {
  CLI::App program(
      "memmatch train --config recipes/minilm-fever-reduced.toml --run runs/first\n"
      "memmatch train --run runs/first --resume\n"
      "memmatch report runs/first --out report.html\n\n"
      "Trains a model: the recipe says from what and how. docs/training.md explains it.",
      "memmatch train");
  Arguments arguments;
  add_options(program, arguments);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : kWrongUsage;
  }
  Messages messages;
  arguments.options.say = std::ref(messages);
  arguments.options.stop = &stop;
  const TrainOutcome outcome = train(recipe_of(arguments), arguments.options);
  if (outcome.finished) {
    messages(fmt::format("finished after {} steps; the best model is {}", outcome.steps,
                         (arguments.options.run / "best").string()),
             false);
    return 0;
  }
  messages(fmt::format("stopped after step {}; go on with: memmatch train --run {} --resume",
                       outcome.steps, arguments.options.run.string()),
           false);
  return 128 + stopped_by;  // a script must not take half a run for a whole one
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    fmt::print(stderr, "memmatch train: {}\n", error.what());
    return error.kind() == ErrorKind::invalid_argument ? kWrongUsage : kFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "memmatch train: {}\n", error.what());
    return kFailed;
  }
}
