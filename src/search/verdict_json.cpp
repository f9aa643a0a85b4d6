#include "search/verdict_json.h"

namespace memmatch::search {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json to_json(const Evidence& evidence, std::size_t rank) {
  Json json = found_json(evidence, rank);
  json["pieces"] = evidence.pieces;
  json["pieces_seen"] = evidence.pieces_seen;
  return json;
}

Json to_json(const std::vector<BeamEntry>& beam) {
  Json entries = Json::array();
  for (const BeamEntry& entry : beam)
    entries.push_back({{"id", entry.id}, {"distance", entry.distance}, {"credit", entry.credit}});
  return entries;
}

Json to_json(const Admission& admission) {
  return {{"rule", admission.rule},
          {"admitted", admission.admitted},
          {"confidence", to_json(admission.confidence)},
          {"reasons", admission.reasons}};
}

Json to_json(const std::vector<NearExemplar>& near) {
  Json entries = Json::array();
  for (const NearExemplar& entry : near) {
    Json json = search::to_json(entry.exemplar);
    json["distance"] = entry.distance;
    json["kind"] = name_of(entry.kind);
    entries.push_back(std::move(json));
  }
  return entries;
}

Json to_json(const ExemplarAudit& audit) {
  return {{"admitted", audit.admitted},
          {"model_label", fever_name(audit.model_label)},
          {"true_positive", audit.true_positive},
          {"nearest", to_json(audit.nearest)},
          {"update", to_json(audit.update)}};
}

}  // namespace

Json found_json(const Evidence& evidence, std::size_t rank) {
  return {{"rank", rank},
          {"id", evidence.id},
          {"title", evidence.title},
          {"raw_title", evidence.raw_title},
          {"number", evidence.number},
          {"text", evidence.text},
          {"edited", evidence.edited},
          {"level1_rank", evidence.level1_rank},
          {"level1_distance", evidence.level1_distance},
          {"level2_distance", evidence.level2_distance},
          {"shared_letters", evidence.shared_letters}};
}

Json to_json(const Exemplar& exemplar) {
  Json evidence = Json::array();
  for (const GivenEvidence& sentence : exemplar.evidence) {
    evidence.push_back({{"title", sentence.title},
                        {"raw_title", sentence.raw_title},
                        {"number", sentence.number},
                        {"text", sentence.text}});
  }
  return {{"id", exemplar.id},
          {"tag", exemplar.tag},
          {"claim", exemplar.claim},
          {"gold_label", fever_name(exemplar.gold)},
          {"predicted_label", fever_name(exemplar.predicted)},
          {"first_gold_label", fever_name(exemplar.first_gold)},
          {"evidence", std::move(evidence)}};
}

Json to_json(const Verdict& verdict) {
  Json evidence = Json::array();
  for (std::size_t i = 0; i < verdict.evidence.size(); ++i)
    evidence.push_back(to_json(verdict.evidence[i], i));
  Json json = {{"claim", verdict.claim},
               {"label", fever_name(verdict.label)},
               {"label_distances",
                {{"SUPPORTS", to_json(verdict.label_distances[0])},
                 {"REFUTES", to_json(verdict.label_distances[1])},
                 {"NOT ENOUGH INFO", to_json(verdict.label_distances[2])}}},
               {"level2_distance", to_json(verdict.level2_distance())},
               {"level3_distance", to_json(verdict.level3_distance())},
               {"evidence", evidence},
               {"candidates", {{"origin", name_of(verdict.origin)}, {"count", verdict.candidates}}},
               {"seconds",
                {{"cover", verdict.times.cover},
                 {"level1", verdict.times.level1},
                 {"level2", verdict.times.level2},
                 {"level3", verdict.times.level3}}}};
  if (verdict.admission) json["admission"] = to_json(*verdict.admission);
  if (verdict.beams) {
    json["beams"] = {{"level1", to_json(verdict.beams->level1)},
                     {"level2", to_json(verdict.beams->level2)}};
  }
  if (verdict.exemplars) json["exemplars"] = to_json(*verdict.exemplars);
  if (!verdict.warnings.empty()) json["warnings"] = verdict.warnings;
  return json;
}

nlohmann::ordered_json to_json(const CheckedSentence& sentence) {
  nlohmann::ordered_json json;
  if (!sentence.source.empty()) json["file"] = sentence.source;
  json["text"] = sentence.text;
  if (sentence.verdict) {
    json["verdict"] = to_json(*sentence.verdict);
  } else {
    json["not_judged"] = "it " + sentence.not_judged;
  }
  return json;
}

}  // namespace memmatch::search
