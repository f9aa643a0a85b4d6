#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace memmatch {

using JsonElement = simdjson::dom::element;
using JsonArray = simdjson::dom::array;

// A JSON object read from somewhere: its accessors throw Error(corrupt) with that place and the
// field's name. Views into the parser that made it; gone with the parser's next text.
class JsonObject {
 public:
  JsonObject(simdjson::dom::object object, std::string where)
      : object_(object), where_(std::move(where)) {}

  // Null counts as absent, here and in all the optional_… accessors.
  std::optional<JsonElement> find(std::string_view field) const;
  bool has(std::string_view field) const { return find(field).has_value(); }

  std::string_view string(std::string_view field) const;
  JsonArray array(std::string_view field) const;
  JsonObject object(std::string_view field) const;
  std::int64_t integer(std::string_view field) const;
  double number(std::string_view field) const;
  std::optional<std::string_view> optional_string(std::string_view field) const;
  std::optional<bool> optional_bool(std::string_view field) const;
  std::optional<std::int64_t> optional_integer(std::string_view field) const;
  std::optional<double> optional_number(std::string_view field) const;

  auto begin() const { return object_.begin(); }
  auto end() const { return object_.end(); }

  const std::string& where() const { return where_; }

  // For complaints of the caller's own: "where: message".
  [[noreturn]] void fail(std::string_view message) const;

 private:
  JsonElement required(std::string_view field) const;

  simdjson::dom::object object_;
  std::string where_;
};

// `value` as an object; throws as as_string() and its like.
JsonObject as_object(JsonElement value, const std::string& where, std::string_view what);

// Parses one text after the other, reusing its memory.
class JsonParser {
 public:
  // Throws Error(corrupt) where `text` is not one JSON object. `text` may be enlarged, not changed.
  JsonObject parse_object(std::string& text, std::string where);

 private:
  simdjson::dom::parser parser_;
};

// `value` as a string, an array …; throws Error(corrupt) saying "where: what must be a …".
std::string_view as_string(JsonElement value, std::string_view where, std::string_view what);
JsonArray as_array(JsonElement value, std::string_view where, std::string_view what);
std::int64_t as_integer(JsonElement value, std::string_view where, std::string_view what);
double as_number(JsonElement value, std::string_view where, std::string_view what);

}  // namespace memmatch
