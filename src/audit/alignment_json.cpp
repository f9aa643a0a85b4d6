#include "audit/alignment_json.h"

namespace memmatch::audit {
namespace {

using Json = nlohmann::ordered_json;

Json words_json(const AlignedText& text) {
  Json words = Json::array();
  for (const Word& word : text.words)
    words.push_back(Json::array({word.begin, word.end, word.fixed}));
  return {{"text", text.text}, {"words", words}};
}

}  // namespace

Json to_json(const Alignment& alignment) {
  Json links = Json::array();
  for (const auto& [places, link] : alignment.links) {
    links.push_back({{"query", places.first},
                     {"support", places.second},
                     {"query_strength", link.query},
                     {"support_strength", link.support},
                     {"squares", link.squares}});
  }
  Json groups = Json::array();
  for (const AlignedGroup& group : alignment.groups()) {
    groups.push_back({{"first", group.first},
                      {"last", group.last},
                      {"support", group.support},
                      {"strength", group.strength}});
  }
  return {{"level", alignment.level},
          {"distance", alignment.distance},
          {"filters", alignment.filters},
          {"linked_filters", alignment.linked_filters},
          {"query", words_json(alignment.query)},
          {"support", words_json(alignment.support)},
          {"groups", groups},
          {"links", links}};
}

}  // namespace memmatch::audit
