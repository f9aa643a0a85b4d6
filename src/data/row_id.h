#pragma once

#include <optional>
#include <string>

#include "base/json.h"

namespace memmatch::data {

// A line's `id`. FEVER's are numbers, the symmetric sets' are strings; it is written as it came.
struct RowId {
  std::string text;
  bool is_number = false;
};

// None where the line has no id. Throws Error(corrupt) where it is neither number nor string.
inline std::optional<RowId> read_row_id(const JsonObject& row) {
  const std::optional<JsonElement> id = row.find("id");
  if (!id) return std::nullopt;
  std::int64_t number = 0;
  if (id->get(number) == simdjson::SUCCESS) return RowId{std::to_string(number), true};
  return RowId{std::string(row.string("id")), false};
}

}  // namespace memmatch::data
