#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace memmatch::test {

// Checks values against a JSON Schema, as far as our own schemas go: $ref within the same file,
// type, enum, oneOf, properties, required, additionalProperties, items, prefixItems, minimum.
class SchemaChecker {
 public:
  // References are looked up in `root`, which must outlive this.
  explicit SchemaChecker(const nlohmann::json& root) : root_(root) {}

  // What does not fit, each with its place; empty where all does.
  std::vector<std::string> problems(const nlohmann::json& value,
                                    const nlohmann::json& schema) const {
    std::vector<std::string> found;
    check(value, schema, "$", found);
    return found;
  }

  const nlohmann::json& resolve(const nlohmann::json& schema) const {
    if (!schema.contains("$ref")) return schema;
    const auto name = schema["$ref"].get<std::string>();
    return resolve(root_.at(nlohmann::json::json_pointer(name.substr(1))));
  }

 private:
  using Json = nlohmann::json;

  static bool is(const Json& value, const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    return type == "array" ? value.is_array() : value.is_object();
  }

  static bool has_type(const Json& value, const Json& types) {
    if (types.is_string()) return is(value, types.get<std::string>());
    return std::any_of(types.begin(), types.end(),
                       [&](const Json& type) { return is(value, type.get<std::string>()); });
  }

  void check(const Json& value, const Json& unresolved, const std::string& path,
             std::vector<std::string>& found) const {
    const Json& schema = resolve(unresolved);
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
      found.push_back(path + " is none of " + schema["enum"].dump());
    }
    if (schema.contains("type") && !has_type(value, schema["type"])) {
      found.push_back(path + " is no " + schema["type"].dump());
      return;
    }
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"])
      found.push_back(path + " is below " + schema["minimum"].dump());
    if (schema.contains("oneOf")) check_one_of(value, schema["oneOf"], path, found);
    if (value.is_array()) check_items(value, schema, path, found);
    if (value.is_object()) check_fields(value, schema, path, found);
  }

  void check_one_of(const Json& value, const Json& choices, const std::string& path,
                    std::vector<std::string>& found) const {
    const auto fits = std::count_if(choices.begin(), choices.end(), [&](const Json& choice) {
      return problems(value, choice).empty();
    });
    if (fits != 1) found.push_back(path + " fits " + std::to_string(fits) + " of oneOf");
  }

  void check_items(const Json& value, const Json& schema, const std::string& path,
                   std::vector<std::string>& found) const {
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string place = path + "[" + std::to_string(i) + "]";
      if (schema.contains("prefixItems") && i < schema["prefixItems"].size())
        check(value[i], schema["prefixItems"][i], place, found);
      else if (schema.contains("items"))
        check(value[i], schema["items"], place, found);
    }
  }

  void check_fields(const Json& value, const Json& schema, const std::string& path,
                    std::vector<std::string>& found) const {
    for (const Json& name : schema.value("required", Json::array())) {
      if (!value.contains(name.get<std::string>()))
        found.push_back(path + "." + name.get<std::string>() + " is missing");
    }
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [name, field] : value.items()) {
      if (properties.contains(name))
        check(field, properties[name], path + "." + name, found);
      else if (schema.value("additionalProperties", Json(true)) == false)
        found.push_back(path + "." + name + " is not in the schema");
    }
  }

  const nlohmann::json& root_;
};

}  // namespace memmatch::test
