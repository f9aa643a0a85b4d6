#include "data/gold.h"

#include <fmt/format.h>

#include "data/row_id.h"

namespace memmatch::data {
namespace {

GoldSet read_set(JsonElement value, const JsonObject& row, const std::string& where) {
  GoldSet set;
  for (const JsonElement entry : as_array(value, where, "evidence[]")) {
    const JsonArray fields = as_array(entry, where, "evidence[][]");
    if (fields.size() < 4)
      row.fail("each entry of 'evidence' must be [annotation, id, title, number]");
    const JsonElement title = fields.at(2).value();
    const JsonElement number = fields.at(3).value();
    if (title.is_null() || number.is_null()) {
      set.unreachable = true;
    } else {
      set.sentences.push_back({std::string(as_string(title, where, "evidence[][][2]")),
                               as_integer(number, where, "evidence[][][3]")});
    }
  }
  return set;
}

Gold read_gold(const JsonObject& row, const std::string& where) {
  Gold gold;
  if (const std::optional<RowId> id = read_row_id(row)) gold.id = id->text;
  const std::string_view name = row.string("label");
  const std::optional<Label> label = parse_label(name);
  if (!label)
    row.fail(fmt::format("label '{}' is none of SUPPORTS, REFUTES, NOT ENOUGH INFO", name));
  gold.label = *label;
  if (!gold.verifiable()) return gold;
  for (const JsonElement set : row.array("evidence"))
    gold.evidence.push_back(read_set(set, row, where));
  return gold;
}

}  // namespace

Gold to_gold(const Claim& claim) {
  Gold gold{claim.id, claim.label.value_or(Label::unverifiable), {}};
  for (const EvidenceSet& set : claim.evidence) gold.evidence.push_back({set, false});
  return gold;
}

bool GoldReader::next(Gold& gold) {
  while (lines_.next(line_)) {
    if (line_.empty()) continue;
    const std::string where = lines_.where();
    gold = read_gold(parser_.parse_object(line_, where), where);
    return true;
  }
  return false;
}

}  // namespace memmatch::data
