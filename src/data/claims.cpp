#include "data/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/row_id.h"
#include "memmatch/error.h"
#include "text/dump_text.h"
#include "text/unicode.h"

namespace memmatch::data {
namespace {

void read_id(const JsonObject& row, Claim& claim) {
  const std::optional<RowId> id = read_row_id(row);
  if (!id) return;
  claim.id = id->text;
  claim.id_is_number = id->is_number;
}

// [annotation id, evidence id, title, number]; title and number are null for unverifiable claims.
std::optional<SentenceName> read_sentence_name(JsonElement entry, const JsonObject& row,
                                               const std::string& where) {
  const JsonArray fields = as_array(entry, where, "evidence[][]");
  if (fields.size() != 4)
    row.fail("each entry of 'evidence' must be [annotation, id, title, number]");
  const JsonElement title = fields.at(2).value();
  const JsonElement number = fields.at(3).value();
  if (title.is_null()) return std::nullopt;
  SentenceName name{std::string(as_string(title, where, "evidence[][][2]")),
                    as_integer(number, where, "evidence[][][3]")};
  if (name.number < 0) row.fail(fmt::format("evidence has the sentence number {}", name.number));
  return name;
}

void read_evidence_sets(JsonElement value, const JsonObject& row, const std::string& where,
                        Claim& claim) {
  for (const JsonElement entry : as_array(value, where, "evidence")) {
    EvidenceSet set;
    for (const JsonElement sentence : as_array(entry, where, "evidence[]")) {
      if (auto name = read_sentence_name(sentence, row, where)) set.push_back(*std::move(name));
    }
    if (!set.empty()) claim.evidence.push_back(std::move(set));
  }
}

void read_evidence(const JsonObject& row, const std::string& where, Claim& claim) {
  if (const auto sentence = row.optional_string("evidence_sentence")) {
    claim.given_evidence = text::clean_dump_sentence(*sentence);
    return;
  }
  const std::optional<JsonElement> evidence = row.find("evidence");
  if (!evidence) return;
  if (evidence->is_string()) {
    claim.given_evidence = text::clean_dump_sentence(row.string("evidence"));
  } else {
    read_evidence_sets(*evidence, row, where, claim);
  }
}

Claim read_claim(const JsonObject& row, const std::string& where) {
  Claim claim;
  read_id(row, claim);
  claim.label = read_label(row);
  read_evidence(row, where, claim);
  const std::string_view text = row.string("claim");
  claim.text = claim.given_evidence ? text::clean_dump_sentence(text) : text::tidy(text);
  if (claim.text.empty()) row.fail("field 'claim' is empty");
  return claim;
}

}  // namespace

std::vector<std::string> texts_of(std::span<const Claim> claims) {
  std::vector<std::string> texts;
  for (const Claim& claim : claims) texts.push_back(claim.text);
  return texts;
}

std::optional<Label> parse_label(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  for (const Label label : {Label::supports, Label::refutes, Label::unverifiable}) {
    if (upper == fever_name(label)) return label;
  }
  return std::nullopt;
}

std::optional<Label> read_label(const JsonObject& row) {
  const std::optional<std::string_view> name = row.optional_string("label");
  if (!name) return std::nullopt;
  const std::optional<Label> label = parse_label(*name);
  if (!label)
    row.fail(fmt::format("label '{}' is none of SUPPORTS, REFUTES, NOT ENOUGH INFO", *name));
  return label;
}

ClaimReader::ClaimReader(const std::filesystem::path& file, bool skip_bad_lines) : lines_(file) {
  bad_lines_.skip = skip_bad_lines;
}

bool ClaimReader::next(Claim& claim) {
  while (lines_.next(line_)) {
    if (line_.empty()) continue;
    try {
      const std::string where = lines_.where();
      claim = read_claim(parser_.parse_object(line_, where), where);
      return true;
    } catch (const Error& error) {
      bad_lines_.handle(error);
    }
  }
  return false;
}

}  // namespace memmatch::data
