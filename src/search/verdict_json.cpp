#include "search/verdict_json.h"

namespace memmatch::search {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json to_json(const Evidence& evidence, std::size_t rank) {
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
          {"pieces", evidence.pieces},
          {"pieces_seen", evidence.pieces_seen}};
}

Json to_json(const std::vector<BeamEntry>& beam) {
  Json entries = Json::array();
  for (const BeamEntry& entry : beam)
    entries.push_back({{"id", entry.id}, {"distance", entry.distance}});
  return entries;
}

Json to_json(const Admission& admission) {
  return {{"rule", admission.rule},
          {"admitted", admission.admitted},
          {"confidence", to_json(admission.confidence)},
          {"reasons", admission.reasons}};
}

}  // namespace

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
  return json;
}

}  // namespace memmatch::search
