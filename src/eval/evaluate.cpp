#include "eval/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "eval/labelled_claims.h"
#include "eval/overlap_baseline.h"
#include "memmatch/error.h"

namespace memmatch::eval {
namespace {

void expect_size(std::size_t verdicts, std::size_t claims) {
  if (verdicts == claims) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the search gave {} verdicts for {} claims", verdicts, claims));
}

// Rows that have a claim and bring their evidence.
template <typename Row, typename Search, typename Count>
void evaluate_rows(std::span<const Row> rows, const Search& search, const EvaluateOptions& options,
                   const Count& count) {
  for (std::size_t done = 0; done < rows.size();) {
    const auto batch = rows.subspan(done, std::min(options.batch, rows.size() - done));
    const std::vector<Verdict> verdicts = search(batch);
    expect_size(verdicts.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      count(batch[i], verdicts[i]);
      if (options.visit) options.visit(batch[i].claim, verdicts[i]);
    }
    done += batch.size();
    if (options.progress) options.progress({done, rows.size()});
  }
}

}  // namespace

Figures evaluate(const std::filesystem::path& claims, Datastore& store, const SearchClaims& search,
                 const EvaluateOptions& options) {
  std::optional<OverlapBaseline> baseline;
  if (options.overlap) baseline.emplace();
  const LabelledClaims chosen(claims, options.choice, [&](const data::Claim& claim) {
    if (baseline) baseline->note_words(claim.text);
  });
  if (baseline) baseline->count(store);
  Metrics metrics(store);
  const auto evaluate_batch = [&](std::span<const data::Claim> batch) {
    const std::vector<Verdict> verdicts = search(batch);
    expect_size(verdicts.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Cover cover = store.cover(batch[i].text);
      std::vector<RankedSentence> ranking;
      if (baseline && batch[i].verifiable()) ranking = baseline->rank(store, batch[i].text, cover);
      metrics.add(batch[i], verdicts[i], cover, baseline ? &ranking : nullptr);
      if (options.visit) options.visit(batch[i], verdicts[i]);
    }
  };
  chosen.for_each_batch(options.batch, options.progress, evaluate_batch);
  return metrics.figures();
}

std::vector<Figures> sweep(const std::filesystem::path& claims, Datastore& store,
                           std::span<const SearchOptions> settings, const SearchSettings& search,
                           const EvaluateOptions& options) {
  const LabelledClaims chosen(claims, options.choice);
  std::vector<Metrics> metrics(settings.size(), Metrics(store));
  const auto evaluate_batch = [&](std::span<const data::Claim> batch) {
    const std::vector<std::vector<Verdict>> verdicts = search(batch, settings);
    expect_size(verdicts.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      expect_size(verdicts[i].size(), settings.size());
      const Cover cover = store.cover(batch[i].text);
      for (std::size_t cell = 0; cell < settings.size(); ++cell)
        metrics[cell].add(batch[i], verdicts[i][cell], cover);
    }
  };
  chosen.for_each_batch(options.batch, options.progress, evaluate_batch);
  std::vector<Figures> figures;
  for (const Metrics& cell : metrics) figures.push_back(cell.figures());
  return figures;
}

std::vector<SearchOptions> sweep_settings(std::span<const int> k1, std::span<const int> z,
                                          const SearchOptions& rest) {
  std::vector<SearchOptions> settings;
  for (const int level1 : k1) {
    for (const int level2 : z) {
      settings.push_back(rest);
      settings.back().k1 = level1;
      settings.back().z = level2;
    }
  }
  return settings;
}

SymmetricFigures evaluate_symmetric(const SymmetricSet& set, const SearchGiven& search,
                                    const EvaluateOptions& options) {
  std::vector<SymmetricRow> rows = set.rows;
  if (options.choice.limit > 0 && options.choice.limit < rows.size())
    rows.resize(static_cast<std::size_t>(options.choice.limit));
  take_sample(rows, options.choice.sample);
  SymmetricFigures figures;
  evaluate_rows(std::span<const SymmetricRow>(rows), search, options,
                [&](const SymmetricRow& row, const Verdict& verdict) {
                  count_symmetric(row, verdict, figures);
                });
  return figures;
}

PairFigures evaluate_pairs(const PairSet& set, const SearchPairs& search,
                           const EvaluateOptions& options) {
  PairFigures figures;
  evaluate_rows(
      std::span<const data::Pair>(set.pairs), search, options,
      [&](const data::Pair& pair, const Verdict& verdict) { count_pair(pair, verdict, figures); });
  return figures;
}

}  // namespace memmatch::eval
