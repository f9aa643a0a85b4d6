#include "report/run_metrics.h"

#include <fmt/format.h>

#include <tuple>

#include "base/files.h"
#include "base/json.h"
#include "memmatch/error.h"

namespace memmatch::report {
namespace {

double number(const JsonObject& object, std::string_view field) {
  return object.optional_number(field).value_or(kAbsent);
}

std::optional<JsonObject> part(const JsonObject& object, std::string_view field) {
  return object.has(field) ? std::optional(object.object(field)) : std::nullopt;
}

PerLevel per_level(const JsonObject& object, std::string_view field) {
  PerLevel values = kNoLevels;
  if (!object.has(field)) return values;
  std::size_t level = 0;
  for (const JsonElement value : object.array(field)) {
    if (level == values.size()) object.fail(fmt::format("'{}' has more than 3 numbers", field));
    if (!value.is_null() && value.get(values[level]) != simdjson::SUCCESS)
      object.fail(fmt::format("'{}' must hold numbers or null", field));
    ++level;
  }
  return values;
}

RunPlace place_of(const JsonObject& object) {
  RunPlace place;
  place.time = number(object, "time");
  place.stage = object.optional_integer("stage").value_or(1);
  place.epoch = object.integer("epoch");
  place.step = object.integer("step");
  place.kind = object.optional_string("kind").value_or("");
  return place;
}

StepMetrics step_of(const JsonObject& object) {
  StepMetrics step;
  step.place = place_of(object);
  step.loss = number(object, "loss");
  step.losses = per_level(object, "losses");
  step.uninformed = per_level(object, "uninformed");
  step.head_loss = number(object, "head_loss");
  step.lr_memory = number(object, "lr_memory");
  step.lr_encoder = number(object, "lr_encoder");
  step.claims_per_second = number(object, "claims_per_second");
  return step;
}

RetrievalMetrics retrieval_of(const JsonObject& dev, std::string_view level) {
  const std::optional<JsonObject> object = part(dev, level);
  if (!object) return {};
  return {number(*object, "strict"), number(*object, "complete")};
}

std::array<std::array<std::int64_t, 3>, 3> confusion_of(const JsonObject& dev) {
  std::array<std::array<std::int64_t, 3>, 3> counts{};
  const JsonArray rows = dev.array("confusion");
  if (rows.size() != 3) dev.fail("'confusion' must have 3 rows");
  for (std::size_t gold = 0; gold < 3; ++gold) {
    const JsonArray row = as_array(rows.at(gold).value(), dev.where(), "confusion");
    if (row.size() != 3) dev.fail("'confusion' must have rows of 3 numbers");
    for (std::size_t decision = 0; decision < 3; ++decision)
      counts[gold][decision] = as_integer(row.at(decision).value(), dev.where(), "confusion");
  }
  return counts;
}

DevMetrics dev_of(const JsonObject& object) {
  DevMetrics dev;
  dev.claims = object.optional_integer("claims").value_or(0);
  dev.accuracy = number(object, "accuracy");
  dev.fever_score = number(object, "fever_score");
  dev.level1 = retrieval_of(object, "level1");
  dev.level2 = retrieval_of(object, "level2");
  dev.distances = per_level(object, "distances");
  dev.head_accuracy = number(object, "head_accuracy");
  if (object.has("confusion")) dev.confusion = confusion_of(object);
  return dev;
}

EpochMetrics epoch_of(const JsonObject& object) {
  EpochMetrics epoch;
  epoch.place = place_of(object);
  epoch.loss = number(object, "loss");
  epoch.losses = per_level(object, "losses");
  epoch.uninformed = per_level(object, "uninformed");
  if (const auto seconds = part(object, "seconds")) {
    epoch.search_seconds = number(*seconds, "search");
    epoch.steps_seconds = number(*seconds, "steps");
    epoch.dev_seconds = number(*seconds, "dev");
  }
  if (const auto dev = part(object, "dev")) epoch.dev = dev_of(*dev);
  epoch.best = object.optional_bool("best").value_or(false);
  return epoch;
}

bool same_epoch(const RunPlace& a, const RunPlace& b) {
  return std::tie(a.stage, a.epoch, a.kind) == std::tie(b.stage, b.epoch, b.kind);
}

// A resumed run starts at its last checkpoint: what it had written after that comes again. Takes
// away the epochs that ended after `place`, and its own.
void forget_epochs_after(RunMetrics& run, const RunPlace& place) {
  const auto comes_again = [&](const RunPlace& end) {
    return end.step > place.step || (end.step == place.step && same_epoch(end, place));
  };
  while (!run.epochs.empty() && comes_again(run.epochs.back().place)) run.epochs.pop_back();
}

void forget_steps_from(RunMetrics& run, std::int64_t step) {
  while (!run.steps.empty() && run.steps.back().place.step >= step) run.steps.pop_back();
}

void add_line(RunMetrics& run, const JsonObject& object) {
  const std::string_view event = object.string("event");
  if (event == "step") {
    StepMetrics step = step_of(object);
    forget_epochs_after(run, step.place);
    forget_steps_from(run, step.place.step);
    run.steps.push_back(std::move(step));
  } else if (event == "epoch") {
    EpochMetrics epoch = epoch_of(object);
    forget_epochs_after(run, epoch.place);
    forget_steps_from(run, epoch.place.step + 1);
    run.epochs.push_back(std::move(epoch));
  }
}

}  // namespace

const EpochMetrics* RunMetrics::best() const {
  const EpochMetrics* best = nullptr;
  for (const EpochMetrics& epoch : epochs)
    if (epoch.best) best = &epoch;
  return best;
}

RunMetrics read_run_metrics(const std::filesystem::path& file) {
  RunMetrics run;
  LineReader lines(file);
  JsonParser parser;
  std::optional<Error> broken;
  for (std::string line; lines.next(line);) {
    if (broken) throw *broken;  // it was not the last line
    if (line.empty()) continue;
    std::optional<JsonObject> object;
    try {
      object = parser.parse_object(line, lines.where());
    } catch (const Error& error) {
      broken = error;
      continue;
    }
    add_line(run, *object);
  }
  run.cut_off = broken.has_value();
  return run;
}

}  // namespace memmatch::report
