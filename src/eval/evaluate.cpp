#include "eval/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "eval/overlap_baseline.h"
#include "memmatch/error.h"

namespace memmatch::eval {
namespace {

// The first pass over a claim file: how many there are; what is wrong with them comes to light
// before hours of searching.
std::uint64_t check_claims(const std::filesystem::path& file, const EvaluateOptions& options,
                           OverlapBaseline* baseline) {
  if (file == "-") {
    throw Error(ErrorKind::invalid_argument,
                "claims to evaluate are read twice: give a file, not standard input");
  }
  data::ClaimReader reader(file);
  std::uint64_t count = 0;
  for (data::Claim claim; (options.limit == 0 || count < options.limit) && reader.next(claim);) {
    ++count;
    if (!claim.label) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: the claim has no label, so there is nothing to evaluate; "
                              "'predict' takes unlabelled claims",
                              reader.where()));
    }
    if (baseline) baseline->note_words(claim.text);
  }
  if (count == 0)
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: there are no claims in this file", file.string()));
  return count;
}

// Calls `visit` with the claims of a file, options.batch at a time.
void for_each_batch(const std::filesystem::path& file, std::uint64_t count,
                    const EvaluateOptions& options,
                    const std::function<void(std::span<const data::Claim>)>& visit) {
  data::ClaimReader reader(file);
  std::vector<data::Claim> batch;
  data::Claim claim;
  for (std::uint64_t done = 0; done < count;) {
    batch.clear();
    const std::uint64_t wanted = std::min<std::uint64_t>(options.batch, count - done);
    while (batch.size() < wanted && reader.next(claim)) batch.push_back(std::move(claim));
    if (batch.size() < wanted)
      throw Error(ErrorKind::io,
                  fmt::format("{}: the file changed while it was read", file.string()));
    visit(batch);
    done += batch.size();
    if (options.progress) options.progress({done, count});
  }
}

void expect_size(std::size_t verdicts, std::size_t claims) {
  if (verdicts == claims) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the search gave {} verdicts for {} claims", verdicts, claims));
}

// The baseline, counted, or none where it is not wanted.
std::optional<OverlapBaseline> make_baseline(const std::filesystem::path& claims, Datastore& store,
                                             const EvaluateOptions& options, std::uint64_t& count) {
  std::optional<OverlapBaseline> baseline;
  if (options.overlap) baseline.emplace();
  count = check_claims(claims, options, baseline ? &*baseline : nullptr);
  if (baseline) baseline->count(store);
  return baseline;
}

}  // namespace

Figures evaluate(const std::filesystem::path& claims, Datastore& store, const SearchClaims& search,
                 const EvaluateOptions& options) {
  std::uint64_t count = 0;
  const std::optional<OverlapBaseline> baseline = make_baseline(claims, store, options, count);
  Metrics metrics(store);
  for_each_batch(claims, count, options, [&](std::span<const data::Claim> batch) {
    const std::vector<Verdict> verdicts = search(batch);
    expect_size(verdicts.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Cover cover = store.cover(batch[i].text);
      std::vector<RankedSentence> ranking;
      if (baseline && batch[i].verifiable()) ranking = baseline->rank(store, batch[i].text, cover);
      metrics.add(batch[i], verdicts[i], cover, baseline ? &ranking : nullptr);
      if (options.visit) options.visit(batch[i], verdicts[i]);
    }
  });
  return metrics.figures();
}

std::vector<Figures> sweep(const std::filesystem::path& claims, Datastore& store,
                           std::span<const SearchOptions> settings, const SearchSettings& search,
                           const EvaluateOptions& options) {
  const std::uint64_t count = check_claims(claims, options, nullptr);
  std::vector<Metrics> metrics(settings.size(), Metrics(store));
  for_each_batch(claims, count, options, [&](std::span<const data::Claim> batch) {
    const std::vector<std::vector<Verdict>> verdicts = search(batch, settings);
    expect_size(verdicts.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      expect_size(verdicts[i].size(), settings.size());
      const Cover cover = store.cover(batch[i].text);
      for (std::size_t cell = 0; cell < settings.size(); ++cell)
        metrics[cell].add(batch[i], verdicts[i][cell], cover);
    }
  });
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
  SymmetricFigures figures;
  std::span<const SymmetricRow> rows(set.rows);
  if (options.limit > 0) rows = rows.first(std::min<std::size_t>(options.limit, rows.size()));
  for (std::size_t done = 0; done < rows.size();) {
    const auto batch = rows.subspan(done, std::min(options.batch, rows.size() - done));
    const std::vector<Verdict> verdicts = search(batch);
    expect_size(verdicts.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      count_symmetric(batch[i], verdicts[i], figures);
      if (options.visit) options.visit(batch[i].claim, verdicts[i]);
    }
    done += batch.size();
    if (options.progress) options.progress({done, rows.size()});
  }
  return figures;
}

}  // namespace memmatch::eval
