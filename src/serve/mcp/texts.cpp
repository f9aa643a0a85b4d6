#include "serve/mcp/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "memmatch/trust.h"

namespace memmatch::serve::mcp {
namespace {

// An exemplar of the very same decision is at no distance but for rounding. As on the page.
constexpr double kSame = 0.001;

// The evidence that a text shows; the JSON beside it has all.
constexpr std::size_t kEvidenceShown = 3;

const std::string& text_in(const Json& json, const char* field) {
  return json.at(field).get_ref<const std::string&>();
}

std::string count_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

Json decision_of(const Json& verdict) {
  Json decision = {{"label", verdict.at("label")}, {"by", "model"}};
  if (!verdict.contains("exemplars")) return decision;
  const Json& exemplars = verdict["exemplars"];
  if (!exemplars.at("update").empty()) {
    decision["by"] = "update";
  } else if (!exemplars.at("nearest").empty()) {
    const Json& nearest = exemplars["nearest"][0];
    if (nearest.at("distance").get<double>() < kSame &&
        nearest.at("gold_label") != verdict["label"]) {
      decision = {{"label", nearest["gold_label"]}, {"by", "correction"}};
    }
  }
  return decision;
}

bool is_models_own(const Json& verdict) { return verdict.at("decision").at("by") == "model"; }

std::string confidence_of(const Json& verdict) {
  if (!is_models_own(verdict)) return " (corrected)";
  const Json::json_pointer place("/admission/confidence");
  if (!verdict.contains(place) || verdict[place].is_null()) return "";
  const auto confidence = verdict[place].get<double>();
  return fmt::format(" (confidence {:.2f}: {})", confidence, in_words(confidence));
}

std::string place_of(const Json& sentence) {
  return fmt::format("{}, sentence {}", text_in(sentence, "title"),
                     sentence.at("number").get<int>());
}

// Why not to rely on it, and what else there is to know.
std::string remarks_on(const Json& verdict) {
  std::string text;
  if (!is_models_own(verdict)) {
    return fmt::format("   The model itself says {}; a correction says otherwise.\n",
                       text_in(verdict.at("exemplars"), "model_label"));
  }
  const Json admission = verdict.value("admission", Json::object());
  if (!admission.value("admitted", true)) {
    text += "   Not to be relied on:";
    for (const Json& reason : admission.at("reasons"))
      text += fmt::format(" {};", reason.get_ref<const std::string&>());
    text.back() = '\n';
  }
  for (const Json& warning : verdict.value("warnings", Json::array()))
    text += fmt::format("   Note: {}\n", warning.get_ref<const std::string&>());
  return text;
}

std::string verdict_text(const Json& verdict, std::size_t evidence_shown) {
  std::string text = fmt::format("{}{}: {}\n", text_in(verdict.at("decision"), "label"),
                                 confidence_of(verdict), text_in(verdict, "claim"));
  const Json& evidence = verdict.at("evidence");
  for (std::size_t i = 0; i < std::min(evidence.size(), evidence_shown); ++i)
    text += fmt::format("   {}: {}\n", place_of(evidence[i]), text_in(evidence[i], "text"));
  if (evidence.empty()) text += "   Nothing was found to verify it against.\n";
  return text + remarks_on(verdict);
}

}  // namespace

void add_decisions(Json& answer) {
  for (Json& verdict : answer.contains("verdicts") ? answer["verdicts"] : answer["sentences"]) {
    Json& one = verdict.contains("verdict") ? verdict["verdict"] : verdict;
    if (one.contains("label")) one["decision"] = decision_of(one);
  }
}

std::string verify_text(const Json& answer) {
  std::string text;
  for (const Json& verdict : answer.at("verdicts")) {
    if (!text.empty()) text += "\n";
    text += verdict_text(verdict, kEvidenceShown);
  }
  return text;
}

std::string check_text(const Json& answer) {
  std::string text;
  std::map<std::string, std::size_t> counts;
  for (const Json& sentence : answer.at("sentences")) {
    if (sentence.contains("verdict")) {
      const Json& verdict = sentence["verdict"];
      const std::string& label = text_in(verdict.at("decision"), "label");
      ++counts[label];
      text += verdict_text(verdict, label == "NOT ENOUGH INFO" ? 0 : 1);
    } else {
      ++counts[""];
      text += fmt::format("NOT JUDGED ({}): {}\n", text_in(sentence, "not_judged"),
                          text_in(sentence, "text"));
    }
  }
  return fmt::format("{}: {} supported, {} contradicted, {} not found, {} not judged.\n\n{}",
                     count_of(answer["sentences"].size(), "sentence"), counts["SUPPORTS"],
                     counts["REFUTES"], counts["NOT ENOUGH INFO"], counts[""], text);
}

std::string search_text(const Json& answer) {
  std::string text;
  for (const Json& result : answer.at("results")) {
    if (!text.empty()) text += "\n";
    text += fmt::format("{} nearest to: {}\n", count_of(result.at("sentences").size(), "sentence"),
                        text_in(result, "query"));
    for (const Json& sentence : result["sentences"])
      text += fmt::format("   {}: {}\n", place_of(sentence), text_in(sentence, "text"));
    for (const Json& warning : result.value("warnings", Json::array()))
      text += fmt::format("   Note: {}\n", warning.get_ref<const std::string&>());
  }
  return text;
}

std::string document_text(const Json& answer) {
  const Json& document = answer.at("document");
  const std::string sentences = count_of(document.at("sentences").size(), "sentence");
  const Json& previous = answer.at("previous");
  if (previous.is_null())
    return fmt::format("'{}' was added, with {}.\n", text_in(document, "title"), sentences);
  return fmt::format("'{}' was replaced: {}, before {}.\n", text_in(document, "title"), sentences,
                     previous.size());
}

std::string sentence_text(const Json& answer) {
  const Json& sentence = answer.at("sentence");
  const std::string place = fmt::format("Sentence {} of '{}'", sentence.at("number").get<int>(),
                                        text_in(answer, "title"));
  if (answer.at("previous").is_null())
    return fmt::format("{} was added: {}\n", place, text_in(sentence, "text"));
  return fmt::format("{} was changed.\n   before: {}\n   now: {}\n", place,
                     text_in(answer["previous"], "text"), text_in(sentence, "text"));
}

std::string correction_text(const Json& answer) {
  const Json& exemplar = answer.at("exemplar");
  return fmt::format("Kept as exemplar {}: the right label is {}, the model's was {}: {}\n",
                     exemplar.at("id").get<std::int64_t>(), text_in(exemplar, "gold_label"),
                     text_in(exemplar, "predicted_label"), text_in(exemplar, "claim"));
}

std::string resource_text(const Json& document) {
  std::string text = text_in(document, "title") + "\n\n";
  for (const Json& sentence : document.at("sentences")) {
    if (!text_in(sentence, "text").empty())
      text += fmt::format("[{}] {}\n", sentence.at("number").get<int>(), text_in(sentence, "text"));
  }
  return text;
}

}  // namespace memmatch::serve::mcp
