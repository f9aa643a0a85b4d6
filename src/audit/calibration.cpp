#include "audit/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "memmatch/error.h"
#include "model/encoder_files.h"

namespace memmatch::audit {
namespace {

using Json = nlohmann::ordered_json;
using engine::Precision;

constexpr std::int64_t kVersion = 3;
constexpr std::int64_t kOldestVersion = 1;  // had one file in `dev` for the list `fitted_on`
constexpr std::int64_t kVersionWithTasks = 3;
constexpr std::array kPrecisions = {Precision::fp32, Precision::int8};
constexpr std::array kLabels = {Label::supports, Label::refutes, Label::unverifiable};
constexpr std::array kTasks = {"found", "given", "given_two_labels"};

const char* name_of(Precision precision) { return precision == Precision::fp32 ? "fp32" : "int8"; }

Json to_json(const DistanceStatistics& level) {
  return {{"count", level.count},
          {"mean", level.mean},
          {"std", level.deviation},
          {"quantiles", level.quantiles}};
}

Json to_json(const ClaimSource& source) {
  return {
      {"file", source.file}, {"hash", source.hash}, {"used", source.used}, {"total", source.total}};
}

Json to_json(const Confidence& confidence) {
  Json of_label = Json::object();
  for (const Label label : kLabels)
    of_label[std::string(fever_name(label))] = confidence.of_label[static_cast<std::size_t>(label)];
  Json of_task = Json::object();
  for (std::size_t i = 0; i < kTasks.size(); ++i) of_task[kTasks[i]] = confidence.of_task[i];
  return {{"mean", confidence.mean},
          {"std", confidence.deviation},
          {"shared", confidence.shared},
          {"labels", of_label},
          {"tasks", of_task},
          {"claims", confidence.claims},
          {"log_loss", confidence.log_loss},
          {"brier", confidence.brier}};
}

Json to_json(const Calibration& calibration) {
  Json json = {{"k1", calibration.k1},
               {"z", calibration.z},
               {"two_class", calibration.two_class},
               {"all", calibration.all},
               {"train", to_json(calibration.train)},
               {"level2", to_json(calibration.level2)},
               {"level3", to_json(calibration.level3)}};
  if (calibration.confidence) {
    json["fitted_on"] = Json::array();
    for (const ClaimSource& source : calibration.fitted_on)
      json["fitted_on"].push_back(to_json(source));
    json["confidence"] = to_json(*calibration.confidence);
  }
  return json;
}

double finite(const JsonObject& fields, std::string_view field) {
  const double value = fields.number(field);
  if (!std::isfinite(value)) fields.fail(fmt::format("'{}' is not a number", field));
  return value;
}

std::uint64_t count(const JsonObject& fields, std::string_view field) {
  const std::int64_t value = fields.integer(field);
  if (value < 0) fields.fail(fmt::format("'{}' is negative", field));
  return static_cast<std::uint64_t>(value);
}

std::vector<double> numbers(const JsonObject& fields, const char* field, std::size_t size) {
  std::vector<double> values;
  for (const JsonElement value : fields.array(field))
    values.push_back(as_number(value, fields.where(), field));
  if (values.size() != size)
    fields.fail(fmt::format("'{}' has {} numbers; there must be {}", field, values.size(), size));
  return values;
}

template <std::size_t Size>
void read_numbers(const JsonObject& fields, const char* field, std::array<double, Size>& to) {
  const std::vector<double> values = numbers(fields, field, Size);
  std::copy(values.begin(), values.end(), to.begin());
}

DistanceStatistics read_statistics(const JsonObject& fields) {
  DistanceStatistics level{count(fields, "count"), finite(fields, "mean"), finite(fields, "std"),
                           numbers(fields, "quantiles", kQuantiles)};
  if (!std::is_sorted(level.quantiles.begin(), level.quantiles.end()))
    fields.fail("'quantiles' must ascend");
  return level;
}

ClaimSource read_source(const JsonObject& fields) {
  return {std::string(fields.string("file")), std::string(fields.string("hash")),
          count(fields, "used"), count(fields, "total")};
}

Confidence read_confidence(const JsonObject& fields, std::int64_t version) {
  Confidence confidence;
  read_numbers(fields, "mean", confidence.mean);
  read_numbers(fields, "std", confidence.deviation);
  if (std::any_of(confidence.deviation.begin(), confidence.deviation.end(),
                  [](double value) { return !(value > 0); }))
    fields.fail("'std' must be above 0");
  read_numbers(fields, "shared", confidence.shared);
  const JsonObject labels = fields.object("labels");
  for (const Label label : kLabels)
    read_numbers(labels, std::string(fever_name(label)).c_str(),
                 confidence.of_label[static_cast<std::size_t>(label)]);
  if (version >= kVersionWithTasks) {
    const JsonObject tasks = fields.object("tasks");
    for (std::size_t i = 0; i < kTasks.size(); ++i)
      read_numbers(tasks, kTasks[i], confidence.of_task[i]);
  }
  confidence.claims = count(fields, "claims");
  confidence.log_loss = finite(fields, "log_loss");
  confidence.brier = finite(fields, "brier");
  return confidence;
}

Calibration read_one(const JsonObject& fields, Precision precision, std::int64_t version) {
  Calibration calibration;
  calibration.precision = precision;
  calibration.k1 = static_cast<int>(fields.integer("k1"));
  calibration.z = static_cast<int>(fields.integer("z"));
  calibration.two_class = fields.optional_bool("two_class").value_or(false);
  calibration.all = fields.optional_bool("all").value_or(false);
  calibration.train = read_source(fields.object("train"));
  calibration.level2 = read_statistics(fields.object("level2"));
  calibration.level3 = read_statistics(fields.object("level3"));
  if (fields.has("confidence")) {
    if (version == kOldestVersion) {
      calibration.fitted_on = {read_source(fields.object("dev"))};
    } else {
      for (const JsonElement source : fields.array("fitted_on"))
        calibration.fitted_on.push_back(
            read_source(as_object(source, fields.where(), "fitted_on")));
    }
    calibration.confidence = read_confidence(fields.object("confidence"), version);
  }
  return calibration;
}

// Everything that a calibration file says.
struct Content {
  std::string model;  // fingerprint
  std::vector<Calibration> calibrations;
};

Content read_content(const std::filesystem::path& file) {
  std::string text = read_file(file);
  JsonParser parser;
  const JsonObject fields = parser.parse_object(text, file.string());
  const std::int64_t version = fields.integer("format_version");
  if (version < kOldestVersion || version > kVersion) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: 'format_version' is {}; this program reads versions {} to {}",
                            file.string(), version, kOldestVersion, kVersion));
  }
  Content content;
  content.model = fields.string("model");
  for (const Precision precision : kPrecisions) {
    if (fields.has(name_of(precision)))
      content.calibrations.push_back(
          read_one(fields.object(name_of(precision)), precision, version));
  }
  return content;
}

std::string advice(const std::filesystem::path& model, Precision precision) {
  return fmt::format("'memmatch calibrate --model {} --precision {} --claims TRAIN …' makes one",
                     model.string(), name_of(precision));
}

}  // namespace

double DistanceStatistics::quantile(double q) const {
  const double place = q * static_cast<double>(quantiles.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= quantiles.size()) return quantiles.back();
  const double part = place - static_cast<double>(below);
  return quantiles[below] + part * (quantiles[below + 1] - quantiles[below]);
}

DistanceStatistics statistics_of(std::vector<double> distances) {
  DistanceStatistics result;
  result.count = distances.size();
  result.quantiles.assign(kQuantiles, 0);
  if (distances.empty()) return result;
  const auto size = static_cast<double>(distances.size());
  for (const double distance : distances) result.mean += distance / size;
  double squares = 0;
  for (const double distance : distances)
    squares += (distance - result.mean) * (distance - result.mean) / size;
  result.deviation = std::sqrt(squares);
  std::sort(distances.begin(), distances.end());
  const DistanceStatistics all{.quantiles = std::move(distances)};
  for (std::size_t i = 0; i < kQuantiles; ++i)
    result.quantiles[i] = all.quantile(static_cast<double>(i) / (kQuantiles - 1));
  return result;
}

std::optional<std::string> other_search(const Calibration& calibration,
                                        const SearchOptions& search) {
  if (calibration.k1 == search.k1 && calibration.z == search.z &&
      calibration.two_class == search.two_class &&
      calibration.all == (search.candidates == Candidates::all))
    return std::nullopt;
  return fmt::format(
      "the model was calibrated with k1 {} and z {}{}{}, which is not what is asked for: admission "
      "and confidence may be off",
      calibration.k1, calibration.z, calibration.two_class ? ", between two labels" : "",
      calibration.all ? ", over the whole datastore" : "");
}

std::filesystem::path calibration_file(const std::filesystem::path& model) {
  return find_model_files(model).config.parent_path() / "calibration.json";
}

Calibration read_calibration(const std::filesystem::path& model, const ContentHash& fingerprint,
                             Precision precision) {
  const std::filesystem::path file = calibration_file(model);
  if (!path_exists(file)) {
    throw Error(ErrorKind::not_found, fmt::format("{}: the model is not calibrated; {}",
                                                  file.string(), advice(model, precision)));
  }
  const Content content = read_content(file);
  if (content.model != to_hex(fingerprint)) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("{}: is the calibration of another model ({}, this one is {}); {}",
                    file.string(), content.model, to_hex(fingerprint), advice(model, precision)));
  }
  for (const Calibration& calibration : content.calibrations) {
    if (calibration.precision != precision) continue;
    Calibration found = calibration;
    found.model = fingerprint;
    return found;
  }
  throw Error(ErrorKind::not_found,
              fmt::format("{}: the model is not calibrated in {}, and distances differ between "
                          "precisions; {}",
                          file.string(), name_of(precision), advice(model, precision)));
}

std::optional<Calibration> find_calibration(const std::filesystem::path& model,
                                            const ContentHash& fingerprint, Precision precision) {
  const std::filesystem::path file = calibration_file(model);
  if (!path_exists(file)) return std::nullopt;
  try {
    return read_calibration(model, fingerprint, precision);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::not_found || error.kind() == ErrorKind::invalid_argument)
      return std::nullopt;
    throw;
  }
}

namespace {

// A file that cannot be read must not stand in the way of a new one.
std::optional<Calibration> find_or_give_up(const std::filesystem::path& model,
                                           const ContentHash& fingerprint, Precision precision) {
  try {
    return find_calibration(model, fingerprint, precision);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void write_calibration(const std::filesystem::path& model, const Calibration& calibration) {
  const std::filesystem::path file = calibration_file(model);
  Json json = {{"format_version", kVersion}, {"model", to_hex(calibration.model)}};
  for (const Precision precision : kPrecisions) {
    std::optional<Calibration> kept;
    if (precision == calibration.precision) {
      kept = calibration;
    } else {
      kept = find_or_give_up(model, calibration.model, precision);
    }
    if (kept) json[name_of(precision)] = to_json(*kept);
  }
  write_file_atomically(file, json.dump(2) + "\n");
}

}  // namespace memmatch::audit
