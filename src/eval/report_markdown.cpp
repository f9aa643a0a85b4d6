#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "eval/report.h"
#include "eval/report_parts.h"

namespace memmatch::eval {
namespace {

std::string scores(const Figures& figures) {
  const FeverScore score = figures.fever.score();
  std::string text = table_header("", {fmt::format("{} claims", figures.claims)});
  text += table_row("accuracy", {share(percent(figures.right(), figures.claims))});
  text += table_row("FEVER score", {share(100 * score.fever_score)});
  text += table_row("evidence precision / recall / F1",
                    {fmt::format("{:.2f} / {:.2f} / {:.2f} %", 100 * score.precision,
                                 100 * score.recall, 100 * score.f1)});
  const FeverScore nfc = figures.fever_nfc.score();
  if (nfc != score) {
    text += table_row("FEVER score, recall with titles in NFC",
                      {fmt::format("{:.2f}, {:.2f} %", 100 * nfc.fever_score, 100 * nfc.recall)});
  }
  text += table_row("accuracy if level 3 were faultless",
                    {share(percent(figures.oracle_right, figures.claims))});
  text += table_row("FEVER score if level 3 were faultless",
                    {share(percent(figures.oracle_strict, figures.claims))});
  if (figures.fallbacks > 0)
    text += table_row("claims that name no title", {std::to_string(figures.fallbacks)});
  if (figures.without_candidates > 0)
    text += table_row("claims without candidates", {std::to_string(figures.without_candidates)});
  return text;
}

struct Column {
  std::string name;
  const Retrieval* level;
  std::size_t beam;  // what the level keeps
};

std::string retrieval(const Figures& figures, const SearchOptions& settings) {
  std::vector<Column> columns;
  if (figures.overlap.claims > 0)
    columns.push_back({"word overlap", &figures.overlap, Retrieval::kDepths.back()});
  if (figures.level1.claims > 0)
    columns.push_back({fmt::format("level 1, k1 = {}", settings.k1), &figures.level1,
                       static_cast<std::size_t>(settings.k1)});
  columns.push_back({fmt::format("level 2, z = {}", settings.z), &figures.level2,
                     static_cast<std::size_t>(settings.z)});

  const auto line = [&](std::string_view name,
                        const std::function<std::string(const Column&)>& cell) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(cell(column));
    return table_row(name, cells);
  };
  const auto counted = [&](std::string_view name, std::uint64_t Retrieval::*count) {
    return line(name, [&](const Column& column) {
      return share(percent(column.level->*count, column.level->claims));
    });
  };
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  std::string text =
      table_header(fmt::format("{} claims with gold evidence", figures.with_gold), names);
  text += counted("top is the chosen evidence (strict)", &Retrieval::strict);
  text += counted("top document right", &Retrieval::top_document);
  text += counted("a chosen sentence kept", &Retrieval::any_chosen);
  text += counted("a right document kept", &Retrieval::any_document);
  text += counted("a complete gold set kept", &Retrieval::complete);
  for (std::size_t i = 0; i < Retrieval::kDepths.size(); ++i) {
    const std::size_t depth = Retrieval::kDepths[i];
    if (std::none_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return depth <= column.beam; }))
      continue;
    text += line(fmt::format("… in the first {}", depth), [&](const Column& column) {
      return depth > column.beam
                 ? std::string("–")
                 : share(percent(column.level->complete_at[i], column.level->claims));
    });
  }
  text += line("mean reciprocal rank", [](const Column& column) {
    return fmt::format("{:.4f}",
                       percent(column.level->reciprocal_ranks, column.level->claims) / 100);
  });
  return text + fmt::format("\nA complete gold set is within the title cover for {:.2f} %.\n",
                            percent(figures.within_cover, figures.with_gold));
}

std::string distance_row(std::string_view name, const Moments& moments) {
  return table_row(name, {std::to_string(moments.count()), fmt::format("{:.3f}", moments.mean()),
                          fmt::format("{:.3f}", moments.deviation())});
}

std::string distances(const Figures& figures) {
  return table_header("distance", {"claims", "mean", "std"}) +
         distance_row("level 2, top is the chosen evidence", figures.level2_strict) +
         distance_row("level 2, top is something else", figures.level2_other) +
         distance_row("level 2, unverifiable claims", figures.level2_unverifiable) +
         distance_row("level 3, decision right", figures.level3_right) +
         distance_row("level 3, decision wrong", figures.level3_wrong);
}

std::string share_row(std::string_view name, const Share& part) {
  return table_row(name, {std::to_string(part.claims), share(percent(part.right, part.claims))});
}

}  // namespace

std::string to_markdown(const Figures& figures, const SearchOptions& settings) {
  return fmt::format("{}\n{}\n{}\n{}", scores(figures),
                     confusion_table("gold \\ verdict", figures.confusion),
                     retrieval(figures, settings), distances(figures));
}

std::string sweep_to_markdown(std::span<const Figures> figures,
                              std::span<const SearchOptions> settings) {
  std::vector<std::string> columns;
  for (const SearchOptions& cell : settings) {
    const std::string name = fmt::format("z = {}", cell.z);
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  }
  std::string text = table_header("k1", columns);
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    cells.push_back(fmt::format("{:.2f} / {:.2f}", percent(figures[i].right(), figures[i].claims),
                                100 * figures[i].fever.score().fever_score));
    if (i + 1 < figures.size() && settings[i + 1].k1 == settings[i].k1) continue;
    text += table_row(std::to_string(settings[i].k1), cells);
    cells.clear();
  }
  return text + fmt::format("\nAccuracy / FEVER score in percent, over {} claims.\n",
                            figures.empty() ? 0 : figures.front().claims);
}

std::string to_markdown(const SymmetricFigures& figures, const SymmetricSet& set) {
  std::string text = table_header("", {"claims", "accuracy"});
  text += share_row("all", figures.all);
  text += share_row("evidence unchanged", figures.unchanged);
  text += share_row("evidence changed", figures.changed);
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (figures.by_kind[i].claims == 0) continue;
    std::string name = kKindNames[i];
    std::replace(name.begin(), name.end(), '_', ' ');
    text += share_row(name, figures.by_kind[i]);
  }
  text += "\n" + confusion_table("gold \\ verdict", figures.confusion) + "\n";
  text += table_header("distance", {"claims", "mean", "std"}) +
          distance_row("level 2, decision right", figures.level2_right) +
          distance_row("level 2, decision wrong", figures.level2_wrong) +
          distance_row("level 3, decision right", figures.level3_right) +
          distance_row("level 3, decision wrong", figures.level3_wrong);
  return text + fmt::format(
                    "\nTitles and sentence numbers of {} groups: {} from the parent claims' gold "
                    "evidence, {} by similarity among the sentences that the claim reaches, {} "
                    "not found; {} less than 0.95 similar. Rows whose ids disagree with their "
                    "texts on whether the evidence was changed: {}.\n",
                    set.groups, set.found_by[0], set.found_by[1], set.found_by[2], set.dissimilar,
                    set.disagreeing_ids);
}

}  // namespace memmatch::eval
