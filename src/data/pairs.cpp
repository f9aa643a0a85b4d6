#include "data/pairs.h"

#include <fmt/format.h>

#include "text/unicode.h"

namespace memmatch::data {
namespace {

struct Texts {
  std::vector<std::string> values;
  bool is_list = false;
};

// A string or a list of strings, tidied; nothing where there is no such field.
Texts read_texts(const JsonObject& row, std::string_view field) {
  const std::optional<JsonElement> value = row.find(field);
  if (!value) return {};
  if (value->is_string()) return {{text::tidy(row.string(field))}, false};
  if (!value->is_array()) row.fail(fmt::format("'{}' must be a text or a list of texts", field));
  Texts texts{{}, true};
  for (const JsonElement element : row.array(field)) {
    texts.values.push_back(text::tidy(as_string(element, row.where(), fmt::format("{}[]", field))));
  }
  return texts;
}

std::vector<GivenEvidence> read_evidence(const JsonObject& row) {
  const Texts texts = read_texts(row, "evidence");
  const Texts titles = read_texts(row, "title");
  if (titles.is_list && titles.values.size() != texts.values.size())
    row.fail("'title' and 'evidence' differ in length");
  std::vector<GivenEvidence> evidence;
  for (std::size_t i = 0; i < texts.values.size(); ++i) {
    if (texts.values[i].empty()) continue;
    GivenEvidence& given = evidence.emplace_back();
    given.text = texts.values[i];
    if (titles.values.empty()) continue;
    given.title = titles.values[titles.is_list ? i : 0];
    given.raw_title = given.title;
    if (!titles.is_list) given.number = static_cast<int>(i);
  }
  if (evidence.empty()) row.fail("field 'evidence' is missing or empty");
  return evidence;
}

Pair read_pair(const JsonObject& row) {
  Pair pair;
  pair.claim.text = text::tidy(row.string("claim"));
  if (pair.claim.text.empty()) row.fail("field 'claim' is empty");
  pair.claim.label = read_label(row);
  if (!pair.claim.label) row.fail("field 'label' is missing");
  pair.evidence = read_evidence(row);
  pair.source = text::tidy(row.optional_string("source").value_or(""));
  pair.kind = text::tidy(row.optional_string("kind").value_or(""));
  return pair;
}

}  // namespace

bool PairReader::next(Pair& pair) {
  while (lines_.next(line_)) {
    if (line_.empty()) continue;
    pair = read_pair(parser_.parse_object(line_, lines_.where()));
    return true;
  }
  return false;
}

}  // namespace memmatch::data
