#include "serve/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "memmatch/error.h"
#include "serve/http.h"

namespace memmatch::serve {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

JsonObject body_object(JsonParser& parser, std::string& body) {
  try {
    return parser.parse_object(body, "the body");
  } catch (const Error& error) {
    refuse(400, "bad_request", error.what());
  }
}

JsonObject inner_object(JsonElement element, std::string_view name) {
  simdjson::dom::object object;
  if (element.get(object) != simdjson::SUCCESS) bad_field(name, "must be an object");
  return {object, std::string(name)};
}

}  // namespace

void bad_field(std::string_view name, std::string_view what) {
  refuse(422, "invalid_field", fmt::format("'{}' {}", name, what));
}

std::string as_text(JsonElement element, std::string_view name, bool allow_blank,
                    std::size_t most) {
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) bad_field(name, "must be a text");
  if (text.size() > most)
    bad_field(name, fmt::format("has {} bytes; at most {} are taken", text.size(), most));
  if (text.find('\0') != std::string_view::npos) bad_field(name, "has a NUL character");
  if (!allow_blank && is_blank(text)) bad_field(name, "is empty");
  return std::string(text);
}

Fields::Fields(JsonParser& parser, std::string& body) : object_(body_object(parser, body)) {
  check_doubles();
}

Fields::Fields(JsonElement element, std::string_view name)
    : object_(inner_object(element, name)), prefix_(fmt::format("{}.", name)) {
  check_doubles();
}

// Of two values for a field, one program takes the first and another the last.
void Fields::check_doubles() const {
  std::set<std::string_view> seen;
  for (const auto& field : object_) {
    if (!seen.insert(field.key).second) bad_field(path(field.key.substr(0, 100)), "is there twice");
  }
}

std::string Fields::path(std::string_view field) const {
  return fmt::format("{}{}", prefix_, field);
}

void Fields::allow(std::initializer_list<std::string_view> known) const {
  for (const auto& field : object_) {
    if (std::find(known.begin(), known.end(), field.key) != known.end()) continue;
    bad_field(path(field.key.substr(0, 100)),
              fmt::format("is unknown; there is: {}", fmt::join(known, ", ")));
  }
}

std::string Fields::text(std::string_view field, std::size_t most) const {
  const std::optional<JsonElement> value = find(field);
  if (!value) bad_field(path(field), "is missing");
  return as_text(*value, path(field), false, most);
}

std::string Fields::text_or(std::string_view field, std::string_view preset) const {
  return has(field) ? text(field) : std::string(preset);
}

bool Fields::boolean(std::string_view field, bool preset) const {
  const std::optional<JsonElement> value = find(field);
  bool answer = preset;
  if (value && value->get(answer) != simdjson::SUCCESS)
    bad_field(path(field), "must be true or false");
  return answer;
}

int Fields::integer(std::string_view field, int preset, int least, int most) const {
  const std::optional<JsonElement> value = find(field);
  std::int64_t number = preset;
  if ((value && value->get(number) != simdjson::SUCCESS) || number < least || number > most)
    bad_field(path(field), fmt::format("must be a whole number from {} to {}", least, most));
  return static_cast<int>(number);
}

std::optional<double> Fields::number(std::string_view field) const {
  const std::optional<JsonElement> value = find(field);
  if (!value) return std::nullopt;
  double number = 0;
  if (value->get(number) != simdjson::SUCCESS || !std::isfinite(number) || number < 0)
    bad_field(path(field), "must be a number that is not below 0");
  return number;
}

std::string_view Fields::one_of(std::string_view field, std::string_view preset,
                                std::initializer_list<std::string_view> values) const {
  const std::optional<JsonElement> value = find(field);
  if (!value) return preset;
  std::string_view text;
  if (value->get(text) != simdjson::SUCCESS ||
      std::find(values.begin(), values.end(), text) == values.end()) {
    bad_field(path(field), fmt::format("must be one of: {}", fmt::join(values, ", ")));
  }
  return text;
}

std::vector<JsonElement> Fields::elements(std::string_view field, std::size_t most) const {
  const std::optional<JsonElement> value = find(field);
  if (!value) bad_field(path(field), "is missing");
  JsonArray array;
  if (value->get(array) != simdjson::SUCCESS) bad_field(path(field), "must be an array");
  std::vector<JsonElement> elements;
  for (const JsonElement element : array) {
    if (elements.size() == most)
      bad_field(path(field), fmt::format("has more than {} elements", most));
    elements.push_back(element);
  }
  return elements;
}

std::vector<std::string> Fields::texts(std::string_view many, std::string_view one,
                                       std::size_t most) const {
  if (has(one) && one != many) {
    if (has(many)) bad_field(path(one), fmt::format("and '{}' exclude each other", many));
    return {text(one)};
  }
  std::vector<std::string> texts;
  for (const JsonElement element : elements(many, most))
    texts.push_back(as_text(element, fmt::format("{}[{}]", path(many), texts.size())));
  if (texts.empty()) bad_field(path(many), "is empty");
  return texts;
}

std::optional<Fields> Fields::object(std::string_view field) const {
  const std::optional<JsonElement> value = find(field);
  return value ? std::optional<Fields>(std::in_place, *value, path(field)) : std::nullopt;
}

}  // namespace memmatch::serve
