#include "data/predictions.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "data/row_id.h"

namespace memmatch::data {
namespace {

SentenceName read_sentence(JsonElement entry, const JsonObject& row, const std::string& where) {
  const JsonArray fields = as_array(entry, where, "predicted_evidence[]");
  if (fields.size() != 2) row.fail("each entry of 'predicted_evidence' must be [title, number]");
  return {std::string(as_string(fields.at(0).value(), where, "predicted_evidence[][0]")),
          as_integer(fields.at(1).value(), where, "predicted_evidence[][1]")};
}

Prediction read_prediction(const JsonObject& row, const std::string& where) {
  Prediction prediction;
  if (const std::optional<RowId> id = read_row_id(row)) {
    prediction.id = id->text;
    prediction.id_is_number = id->is_number;
  }
  prediction.label = row.string("predicted_label");
  for (const JsonElement entry : row.array("predicted_evidence"))
    prediction.evidence.push_back(read_sentence(entry, row, where));
  return prediction;
}

}  // namespace

Prediction to_prediction(const Claim& claim, const Verdict& verdict) {
  Prediction prediction{
      claim.id, claim.id_is_number, std::string(fever_name(verdict.label)), {}, {}, {}};
  if (verdict.admission) prediction.confidence = verdict.admission->confidence;
  for (const Evidence& evidence : verdict.evidence)
    prediction.evidence.push_back({evidence.raw_title, evidence.number});
  if (verdict.admission || verdict.exemplars) prediction.admitted = verdict.admitted();
  return prediction;
}

std::string to_line(const Prediction& prediction) {
  using Json = nlohmann::ordered_json;
  Json evidence = Json::array();
  for (const SentenceName& name : prediction.evidence)
    evidence.push_back(Json::array({name.title, name.number}));
  Json line = Json::object();
  if (prediction.id_is_number) {
    line["id"] = std::stoll(prediction.id);
  } else if (!prediction.id.empty()) {
    line["id"] = prediction.id;
  }
  line["predicted_label"] = prediction.label;
  line["predicted_evidence"] = std::move(evidence);
  if (prediction.admitted) line["admitted"] = *prediction.admitted;
  if (prediction.confidence) line["confidence"] = *prediction.confidence;
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool PredictionReader::next(Prediction& prediction) {
  while (lines_.next(line_)) {
    if (line_.empty()) continue;
    const std::string where = lines_.where();
    prediction = read_prediction(parser_.parse_object(line_, where), where);
    return true;
  }
  return false;
}

}  // namespace memmatch::data
