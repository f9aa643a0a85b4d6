#include <fmt/format.h>

#include <functional>
#include <memory>

#include "audit/alignment.h"
#include "audit/alignment_json.h"
#include "audit/trust.h"
#include "memmatch/error.h"
#include "search/verdict_json.h"
#include "serve/answers.h"
#include "serve/router.h"
#include "serve/weight.h"
#include "text/unicode.h"

namespace memmatch::serve {
namespace {

// The rule that verdicts are to be admitted by; none where nobody wants one. `asked` may be empty.
std::optional<audit::AdmissionRule> admission_rule(const Context& context,
                                                   const std::string& asked) {
  const std::string text = asked.empty() ? context.bench->default_rule() : asked;
  if (text == audit::kNoRule) return std::nullopt;
  const audit::AdmissionRule rule = audit::parse_rule(text);
  if (!context.bench->calibration) {
    refuse(422, "invalid_field",
           "'admit' needs a calibrated model; 'memmatch calibrate' makes it one");
  }
  try {
    audit::check_rule(rule, *context.bench->calibration);
  } catch (const Error& error) {  // the rule is fine; the model has nothing to apply it by
    refuse(422, "invalid_field", error.what());
  }
  return rule;
}

// Searches for the claims together with those of others, judges how far to trust the verdicts, and
// answers with what `to_answer` makes of them.
void judge_together(Context& context, const CallPtr& call, std::vector<std::string> claims,
                    const VerifyOptions& options,
                    std::function<Json(std::vector<Verdict>)> to_answer) {
  const audit::TrustRules rules{admission_rule(context, options.admit), options.exemplars};
  if (options.exemplars && context.settings.files.exemplars.empty())
    refuse(404, "not_found", "'exemplars': the server was started without --exemplars");
  if (claims.empty()) return call->respond(json_answer(200, to_answer({})));
  search_together(context, call, std::move(claims), options.search,
                  [call, rules, search = options.search, to_answer = std::move(to_answer)](
                      Workbench& bench, std::vector<Verdict> verdicts) {
                    audit::apply_trust(rules,
                                       {bench.calibration ? &*bench.calibration : nullptr,
                                        bench.auditor ? &*bench.auditor : nullptr},
                                       search, verdicts);
                    call->respond(json_answer(200, to_answer(std::move(verdicts))));
                  });
}

Json search_json(const Verdict& verdict) {
  Json sentences = Json::array();
  for (const Evidence& evidence : verdict.evidence)
    sentences.push_back(search::found_json(evidence, sentences.size()));
  Json json = {{"query", verdict.claim},
               {"candidates", {{"origin", name_of(verdict.origin)}, {"count", verdict.candidates}}},
               {"sentences", std::move(sentences)}};
  if (!verdict.warnings.empty()) json["warnings"] = verdict.warnings;
  return json;
}

// What GET /v1/align asks for, and how far it has come: some alignments a step, about as many
// sequences as other work has in a step.
constexpr std::size_t kAlignmentsAtOnce = 64 / kSequencesOfAnAlignment;
struct Aligning {
  std::string claim;
  std::vector<int> levels;
  std::vector<SentenceId> ids;
  std::vector<EvidenceText> evidence;
  SearchOptions search;
  std::optional<Label> label;
  bool searched = false;
  std::size_t next = 0;  // level by level, sentence by sentence
  Json alignments = Json::array();

  std::size_t sequences() const;
  void find_evidence(Workbench& bench);
  bool align_next(Workbench& bench);
  StepResult step(Workbench& bench);
};

// How many the search and the alignments need, as far as it is known before.
std::size_t Aligning::sequences() const {
  const std::size_t sentences = ids.empty() ? static_cast<std::size_t>(search.z) : ids.size();
  std::size_t count = ids.empty() ? static_cast<std::size_t>(search.k1) : 0;
  for (const int level : levels) count += kSequencesOfAnAlignment * (level == 3 ? 1 : sentences);
  return count;
}

void Aligning::find_evidence(Workbench& bench) {
  searched = true;
  if (ids.empty()) {
    const Verdict verdict = bench.verifier.verify(claim, search);
    for (const Evidence& sentence : verdict.evidence) {
      ids.push_back(sentence.id);
      evidence.push_back({sentence.title, sentence.number, sentence.text});
    }
    if (!label) label = verdict.label;
    if (ids.empty()) refuse(404, "not_found", "there is no sentence to align the claim with");
    return;
  }
  for (VectorSource& source : bench.verifier.store().vector_sources(ids))
    evidence.push_back({std::move(source.title), source.number, std::move(source.text)});
  if (evidence.size() < ids.size()) refuse(404, "not_found", "a 'sentence' is not there any more");
}

// False where all are made.
bool Aligning::align_next(Workbench& bench) {
  std::size_t number = next++;
  for (const int level : levels) {
    const std::size_t count = level == 3 ? 1 : evidence.size();
    if (number >= count) {
      number -= count;
      continue;
    }
    audit::AlignmentRequest request{level, claim, evidence, label.value_or(Label::supports)};
    Json sentences = ids;
    if (level < 3) {
      request.evidence = {evidence[number]};
      sentences = Json::array({ids[number]});
    }
    Json json = {{"level", level}, {"sentences", std::move(sentences)}};
    json.update(audit::to_json(audit::align(bench.verifier.network(), request)));
    alignments.push_back(std::move(json));
    return true;
  }
  return false;
}

StepResult Aligning::step(Workbench& bench) {
  if (!searched) find_evidence(bench);
  for (std::size_t i = 0; i < kAlignmentsAtOnce; ++i) {
    if (!align_next(bench)) return StepResult::done;
  }
  return StepResult::more;
}

std::vector<int> parse_levels(std::string_view text) {
  std::vector<int> levels;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (part != "1" && part != "2" && part != "3")
      refuse(422, "invalid_field", "parameter 'level' must be 1, 2 or 3, or several as 1,2");
    if (levels.size() == 3) refuse(422, "invalid_field", "parameter 'level' has too many levels");
    levels.push_back(part[0] - '0');
    if (comma == std::string_view::npos) return levels;
    text.remove_prefix(comma + 1);
  }
}

Aligning parse_align(const Context& context, const Url& url) {
  constexpr std::size_t kMostSentences = 50;
  const Parameters parameters(url, {"claim", "level", "sentence", "label", "k1", "z"});
  const SearchOptions& preset = context.settings.defaults.search;
  Aligning request;
  request.claim = text::tidy(parameters.find("claim").value_or(""));
  if (request.claim.empty()) refuse(422, "invalid_field", "parameter 'claim' is missing");
  request.levels = parse_levels(parameters.find("level").value_or("1"));
  for (const std::string_view text : parameters.all("sentence")) {
    const std::optional<std::int64_t> id = parse_number(text);
    if (!id) refuse(422, "invalid_field", "parameter 'sentence' must be the id of a sentence");
    request.ids.push_back(*id);
  }
  if (request.ids.size() > kMostSentences)
    refuse(422, "invalid_field", "there are more than 50 parameters 'sentence'");
  if (const auto label = parameters.find("label")) request.label = parse_label(*label, "label");
  request.search = preset;
  request.search.k1 = static_cast<int>(parameters.integer("k1", preset.k1, 1, limits::kK1));
  request.search.z = static_cast<int>(parameters.integer("z", preset.z, 1, limits::kZ));
  return request;
}

}  // namespace

void verify(Context& context, const CallPtr& call) {
  VerifyRequest request = parse_verify(std::move(call->request.body), context.settings.defaults);
  judge_together(context, call, std::move(request.claims), request.options,
                 [](std::vector<Verdict> verdicts) -> Json {
                   Json all = Json::array();
                   for (const Verdict& verdict : verdicts) all.push_back(search::to_json(verdict));
                   return {{"verdicts", std::move(all)}};
                 });
}

void check_text(Context& context, const CallPtr& call) {
  CheckRequest request = parse_check(std::move(call->request.body), context.settings.defaults);
  judge_together(context, call, std::move(request.claims), request.options,
                 [sentences = std::move(request.sentences)](std::vector<Verdict> verdicts) -> Json {
                   Json all = Json::array();
                   auto verdict = verdicts.begin();
                   for (CheckedSentence sentence : sentences) {
                     if (sentence.not_judged.empty()) sentence.verdict = std::move(*verdict++);
                     all.push_back(search::to_json(sentence));
                   }
                   return {{"sentences", std::move(all)}};
                 });
}

void search_texts(Context& context, const CallPtr& call) {
  TextSearchRequest request =
      parse_search(std::move(call->request.body), context.settings.defaults);
  search_together(context, call, std::move(request.queries), request.search,
                  [call](Workbench&, std::vector<Verdict> verdicts) {
                    Json results = Json::array();
                    for (const Verdict& verdict : verdicts) results.push_back(search_json(verdict));
                    call->respond(json_answer(200, {{"results", std::move(results)}}));
                  });
}

void align(Context& context, const CallPtr& call) {
  const auto request = std::make_shared<Aligning>(parse_align(context, call->url));
  on_engine(context, call, weight_of(request->sequences()), [call, request](Workbench& bench) {
    const StepResult result = request->step(bench);
    if (result == StepResult::done) {
      call->respond(json_answer(
          200, {{"claim", request->claim}, {"alignments", std::move(request->alignments)}}));
    }
    return result;
  });
}

}  // namespace memmatch::serve
