#include "audit/exemplar_build.h"
#include "search/verdict_json.h"
#include "serve/answers.h"
#include "serve/router.h"
#include "serve/weight.h"

namespace memmatch::serve {
namespace {

void require_exemplars(const Context& context) {
  if (context.settings.files.exemplars.empty())
    refuse(404, "not_found", "the server was started without --exemplars");
}

ExemplarId id_of(const Call& call) {
  const std::optional<std::int64_t> id = parse_number(call.captures.at(0));
  if (!id) refuse(404, "not_found", "'" + call.captures[0] + "' is no exemplar's number");
  return *id;
}

std::optional<Label> label_parameter(const Parameters& parameters, std::string_view name) {
  const std::optional<std::string_view> text = parameters.find(name);
  if (!text || text->empty()) return std::nullopt;
  return parse_label(*text, name);
}

Json changed(const Exemplar& exemplar, const Json& previous_label) {
  return {{"exemplar", search::to_json(exemplar)}, {"previous_label", previous_label}};
}

}  // namespace

void list_exemplars(Context& context, const CallPtr& call) {
  require_exemplars(context);
  const Parameters parameters(call->url, {"tag", "gold", "predicted", "limit", "offset"});
  const auto limit = static_cast<std::uint64_t>(parameters.integer("limit", 20, 1, 100));
  const auto offset = static_cast<std::uint64_t>(parameters.integer("offset", 0, 0, 10'000));
  const ExemplarFilter filter{.tag = std::string(parameters.find("tag").value_or("")),
                              .gold = label_parameter(parameters, "gold"),
                              .predicted = label_parameter(parameters, "predicted"),
                              .limit = offset + limit + 1};
  Exemplars& exemplars = *context.reading_desk().exemplars;
  Json found = Json::array();
  Json sources = Json::array();
  std::uint64_t seen = 0;
  exemplars.in_one_state([&] {
    exemplars.for_each(filter, [&](const Exemplar& exemplar) {
      if (++seen > offset && found.size() < limit) found.push_back(search::to_json(exemplar));
    });
    for (const ExemplarSource& source : exemplars.sources()) {
      sources.push_back({{"tag", source.tag},
                         {"exemplars", source.exemplars},
                         {"relabelled", source.relabelled}});
    }
  });
  call->respond(json_answer(200, {{"exemplars", std::move(found)},
                                  {"more", seen > offset + limit},
                                  {"sources", std::move(sources)}}));
}

void get_exemplar(Context& context, const CallPtr& call) {
  require_exemplars(context);
  const Exemplar exemplar = context.reading_desk().exemplars->exemplar(id_of(*call));
  call->respond(json_answer(200, {{"exemplar", search::to_json(exemplar)}}));
}

void post_exemplar(Context& context, const CallPtr& call) {
  require_exemplars(context);
  const NewExemplarRequest request =
      parse_new_exemplar(std::move(call->request.body), context.settings.defaults);
  const auto sequences = request.evidence ? 1 : static_cast<std::size_t>(request.search.k1);
  change_file(
      context, call, ServedFileName::exemplars, weight_of(sequences), [request](Workbench& bench) {
        const audit::ExemplarClaim claim{request.claim, request.label, request.evidence};
        const std::vector<NewExemplar> decided =
            audit::decide(bench.verifier, {&claim, 1}, request.search);
        if (decided.empty()) {
          refuse(404, "not_found",
                 "there is no evidence for the claim in the datastore; give some as 'evidence'");
        }
        const ExemplarId id =
            bench.exemplars->add(request.tag, bench.verifier.fingerprint(), decided.front());
        return json_answer(201, changed(bench.exemplars->exemplar(id), nullptr));
      });
}

void patch_exemplar(Context& context, const CallPtr& call) {
  require_exemplars(context);
  const Label label = parse_relabelling(std::move(call->request.body));
  change_file(context, call, ServedFileName::exemplars, 1,
              [id = id_of(*call), label](Workbench& bench) {
                const Label previous = bench.exemplars->exemplar(id).gold;
                const Exemplar exemplar = bench.exemplars->relabel(id, label);
                return json_answer(200, changed(exemplar, fever_name(previous)));
              });
}

void delete_exemplar(Context& context, const CallPtr& call) {
  require_exemplars(context);
  change_file(context, call, ServedFileName::exemplars, 1, [id = id_of(*call)](Workbench& bench) {
    const Exemplar gone = bench.exemplars->remove(id);
    return json_answer(200, {{"exemplar", search::to_json(gone)}});
  });
}

}  // namespace memmatch::serve
