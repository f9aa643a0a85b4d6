#include "base/json.h"

#include <fmt/format.h>

#include "memmatch/error.h"

namespace memmatch {
namespace {

// `value` as T, or the complaint that field `what` is no such thing.
template <typename T>
T as(JsonElement value, std::string_view where, std::string_view what, std::string_view type) {
  T result{};
  if (value.get(result) != simdjson::SUCCESS) {
    throw Error(ErrorKind::corrupt, fmt::format("{}: '{}' must be {}", where, what, type));
  }
  return result;
}

}  // namespace

std::string_view as_string(JsonElement value, std::string_view where, std::string_view what) {
  return as<std::string_view>(value, where, what, "a string");
}

JsonArray as_array(JsonElement value, std::string_view where, std::string_view what) {
  return as<JsonArray>(value, where, what, "an array");
}

std::int64_t as_integer(JsonElement value, std::string_view where, std::string_view what) {
  return as<std::int64_t>(value, where, what, "a whole number");
}

double as_number(JsonElement value, std::string_view where, std::string_view what) {
  return as<double>(value, where, what, "a number");
}

JsonObject as_object(JsonElement value, const std::string& where, std::string_view what) {
  return {as<simdjson::dom::object>(value, where, what, "an object"), where};
}

std::optional<JsonElement> JsonObject::find(std::string_view field) const {
  JsonElement value;
  if (object_.at_key(field).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return value;
}

JsonElement JsonObject::required(std::string_view field) const {
  const std::optional<JsonElement> value = find(field);
  if (!value) fail(fmt::format("field '{}' is missing", field));
  return *value;
}

std::string_view JsonObject::string(std::string_view field) const {
  return as_string(required(field), where_, field);
}

JsonArray JsonObject::array(std::string_view field) const {
  return as_array(required(field), where_, field);
}

JsonObject JsonObject::object(std::string_view field) const {
  return as_object(required(field), where_, field);
}

std::int64_t JsonObject::integer(std::string_view field) const {
  return as_integer(required(field), where_, field);
}

double JsonObject::number(std::string_view field) const {
  return as_number(required(field), where_, field);
}

std::optional<std::string_view> JsonObject::optional_string(std::string_view field) const {
  return has(field) ? std::optional(string(field)) : std::nullopt;
}

std::optional<bool> JsonObject::optional_bool(std::string_view field) const {
  return has(field) ? std::optional(as<bool>(required(field), where_, field, "true or false"))
                    : std::nullopt;
}

std::optional<std::int64_t> JsonObject::optional_integer(std::string_view field) const {
  return has(field) ? std::optional(integer(field)) : std::nullopt;
}

std::optional<double> JsonObject::optional_number(std::string_view field) const {
  return has(field) ? std::optional(number(field)) : std::nullopt;
}

void JsonObject::fail(std::string_view message) const {
  throw Error(ErrorKind::corrupt, fmt::format("{}: {}", where_, message));
}

JsonObject JsonParser::parse_object(std::string& text, std::string where) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);  // spares the parser a copy
  simdjson::dom::object object;
  const auto parsed = parser_.parse(text).get(object);
  if (parsed == simdjson::INCORRECT_TYPE) {
    throw Error(ErrorKind::corrupt, fmt::format("{}: expected a JSON object", where));
  }
  if (parsed != simdjson::SUCCESS) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: not valid JSON: {}", where, simdjson::error_message(parsed)));
  }
  return {object, std::move(where)};
}

}  // namespace memmatch
