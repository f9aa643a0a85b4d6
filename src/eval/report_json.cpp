#include "eval/report.h"
#include "eval/report_parts.h"

namespace memmatch::eval {
namespace {

ReportJson to_json(const Moments& moments) {
  return {{"count", moments.count()}, {"mean", moments.mean()}, {"std", moments.deviation()}};
}

// Depths beyond what the level keeps would only repeat its last figure.
ReportJson to_json(const Retrieval& level, std::size_t beam) {
  ReportJson at = ReportJson::object();
  for (std::size_t i = 0; i < Retrieval::kDepths.size(); ++i) {
    if (Retrieval::kDepths[i] <= beam)
      at[std::to_string(Retrieval::kDepths[i])] = percent(level.complete_at[i], level.claims);
  }
  return {{"claims", level.claims},
          {"strict", percent(level.strict, level.claims)},
          {"any_chosen", percent(level.any_chosen, level.claims)},
          {"top_document", percent(level.top_document, level.claims)},
          {"any_document", percent(level.any_document, level.claims)},
          {"complete", percent(level.complete, level.claims)},
          {"complete_at", at},
          {"mrr", percent(level.reciprocal_ranks, level.claims) / 100}};
}

ReportJson labels_json(const Figures& figures) {
  ReportJson labels = ReportJson::object();
  for (const Label label : kLabels) {
    const std::uint64_t count = gold_count(figures.confusion, label);
    const std::uint64_t right = figures.confusion[index(label)][index(label)];
    labels[std::string(fever_name(label))] = {{"claims", count},
                                              {"accuracy", percent(right, count)}};
  }
  return labels;
}

void add_scores(const Figures& figures, ReportJson& json) {
  const FeverScore score = figures.fever.score();
  json["accuracy"] = percent(figures.right(), figures.claims);
  json["fever_score"] = 100 * score.fever_score;
  json["precision"] = 100 * score.precision;
  json["recall"] = 100 * score.recall;
  json["f1"] = 100 * score.f1;
  const FeverScore nfc = figures.fever_nfc.score();
  if (nfc == score) return;
  json["nfc"] = {{"fever_score", 100 * nfc.fever_score}, {"recall", 100 * nfc.recall}};
}

ReportJson distances_json(const Figures& figures) {
  return {{"level2",
           {{"all", to_json(figures.level2_all)},
            {"strict", to_json(figures.level2_strict)},
            {"other", to_json(figures.level2_other)},
            {"unverifiable", to_json(figures.level2_unverifiable)}}},
          {"level3",
           {{"right", to_json(figures.level3_right)}, {"wrong", to_json(figures.level3_wrong)}}}};
}

ReportJson oracle_json(const Figures& figures) {
  ReportJson json = {{"accuracy", percent(figures.oracle_right, figures.claims)},
                     {"fever_score", percent(figures.oracle_strict, figures.claims)},
                     {"within_cover", percent(figures.within_cover, figures.with_gold)}};
  if (figures.level1.claims > 0)
    json["within_level1"] = percent(figures.level1.complete, figures.level1.claims);
  json["within_level2"] = percent(figures.level2.complete, figures.with_gold);
  return json;
}

ReportJson to_json(const Share& share) {
  return {{"claims", share.claims}, {"accuracy", percent(share.right, share.claims)}};
}

}  // namespace

ReportJson to_json(const Figures& figures, const SearchOptions& settings) {
  ReportJson json = {{"claims", figures.claims}};
  add_scores(figures, json);
  json["k1"] = settings.k1;
  json["z"] = settings.z;
  json["labels"] = labels_json(figures);
  json["confusion"] = confusion_json(figures.confusion);
  json["with_gold"] = figures.with_gold;
  if (figures.overlap.claims > 0)
    json["overlap"] = to_json(figures.overlap, Retrieval::kDepths.back());
  if (figures.level1.claims > 0)
    json["level1"] = to_json(figures.level1, static_cast<std::size_t>(settings.k1));
  json["level2"] = to_json(figures.level2, static_cast<std::size_t>(settings.z));
  json["distances"] = distances_json(figures);
  json["oracle"] = oracle_json(figures);
  json["fallbacks"] = figures.fallbacks;
  json["without_candidates"] = figures.without_candidates;
  json["seconds"] = {{"cover", figures.seconds.cover},
                     {"level1", figures.seconds.level1},
                     {"level2", figures.seconds.level2},
                     {"level3", figures.seconds.level3}};
  return json;
}

ReportJson sweep_to_json(std::span<const Figures> figures,
                         std::span<const SearchOptions> settings) {
  ReportJson cells = ReportJson::array();
  for (std::size_t i = 0; i < figures.size(); ++i) {
    ReportJson cell = {{"k1", settings[i].k1}, {"z", settings[i].z}};
    add_scores(figures[i], cell);
    cell["within_level1"] = percent(figures[i].level1.complete, figures[i].level1.claims);
    cell["within_level2"] = percent(figures[i].level2.complete, figures[i].with_gold);
    cells.push_back(cell);
  }
  return {{"claims", figures.empty() ? 0 : figures.front().claims}, {"cells", cells}};
}

ReportJson to_json(const SymmetricFigures& figures, const SymmetricSet& set) {
  ReportJson kinds = ReportJson::object();
  for (std::size_t i = 0; i < kKindNames.size(); ++i)
    kinds[kKindNames[i]] = to_json(figures.by_kind[i]);
  return {
      {"claims", figures.all.claims},
      {"accuracy", percent(figures.all.right, figures.all.claims)},
      {"unchanged", to_json(figures.unchanged)},
      {"changed", to_json(figures.changed)},
      {"kinds", kinds},
      {"confusion", confusion_json(figures.confusion)},
      {"distances",
       {{"level2",
         {{"right", to_json(figures.level2_right)}, {"wrong", to_json(figures.level2_wrong)}}},
        {"level3",
         {{"right", to_json(figures.level3_right)}, {"wrong", to_json(figures.level3_wrong)}}}}},
      {"groups", set.groups},
      {"found_by_gold", set.found_by[0]},
      {"found_by_cover", set.found_by[1]},
      {"not_found", set.found_by[2]},
      {"dissimilar", set.dissimilar},
      {"disagreeing_ids", set.disagreeing_ids}};
}

}  // namespace memmatch::eval
