#include "search/verdicts.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace memmatch::search {
namespace {

std::vector<std::size_t> evidence_of(const Query& query, const SweepCell& cell) {
  std::vector<std::size_t> evidence;
  for (const Ranked& ranked : query.beam2) {
    if (ranked.id >= cell.k1) continue;
    if (evidence.size() == static_cast<std::size_t>(cell.z)) break;
    evidence.push_back(static_cast<std::size_t>(ranked.id));
  }
  return evidence;
}

}  // namespace

Decisions::Decisions(std::span<const Query> queries, std::span<const SweepCell> cells) {
  for (const Query& query : queries) {
    std::map<std::vector<std::size_t>, std::size_t> known;
    std::vector<std::size_t>& indexes = of_cell.emplace_back();
    for (const SweepCell& cell : cells) {
      std::vector<std::size_t> evidence = evidence_of(query, cell);
      const auto [entry, is_new] = known.emplace(evidence, distinct.size());
      if (is_new) distinct.push_back({&query, std::move(evidence), {}, {}});
      indexes.push_back(entry->second);
    }
  }
}

void decide(Network& network, std::vector<Decision>& decisions, const SearchOptions& options) {
  if (options.evidence_alone) return;
  const auto is_decided = [&](const Decision& decision) {
    return options.z == 0 || !decision.evidence.empty();
  };
  std::vector<Decision> decided;
  std::copy_if(decisions.begin(), decisions.end(), std::back_inserter(decided), is_decided);
  level3(network, decided, options.two_class, options.difference);
  std::size_t next = 0;
  for (Decision& decision : decisions) {
    if (is_decided(decision)) decision = std::move(decided[next++]);
  }
}

void fill(Verdict& verdict, const Network& network, const Query& query, const Decision& decision,
          const SearchOptions& options) {
  verdict.claim = query.claim;
  verdict.label_distances = decision.distances;
  verdict.label = nearest_label(decision.distances);
  std::map<std::size_t, double> level2_distances;
  for (const Ranked& ranked : query.beam2)
    level2_distances[static_cast<std::size_t>(ranked.id)] = ranked.distance;
  std::vector<SequenceWriter::Pieces> parts;
  for (const std::size_t i : decision.evidence) parts.push_back(query.beam1[i].pieces);
  const std::vector<std::int64_t> seen =
      network.writer().pieces_seen(verdict.label, query.pieces, parts);
  for (std::size_t n = 0; n < decision.evidence.size(); ++n) {
    const std::size_t rank = decision.evidence[n];
    const Support& support = query.beam1[rank];
    Evidence evidence;
    evidence.id = support.source.id;
    evidence.title = support.source.title;
    evidence.number = support.source.number;
    evidence.text = support.source.text;
    evidence.level1_rank = static_cast<int>(rank);
    evidence.level1_distance = support.level1_distance;
    evidence.shared_letters = support.shared_letters;
    evidence.level2_distance = level2_distances.at(rank);
    evidence.pieces = static_cast<int>(support.pieces.size());
    evidence.pieces_seen = static_cast<int>(seen[n]);
    verdict.evidence.push_back(std::move(evidence));
  }
  verdict.difference = query.difference;
  verdict.difference.insert(verdict.difference.end(), decision.difference.begin(),
                            decision.difference.end());
  if (!options.explain) return;
  // The search may have been wider than these options, for other cells of a sweep.
  const auto k1 = std::min(query.beam1.size(), static_cast<std::size_t>(options.k1));
  verdict.beams.emplace();
  for (const Support& s : std::span(query.beam1).first(k1))
    verdict.beams->level1.push_back(
        {s.source.id, s.level1_distance, network.search().word_credit[0] * s.shared_letters});
  for (const Ranked& ranked : query.beam2) {
    const auto rank = static_cast<std::size_t>(ranked.id);
    if (rank < k1)
      verdict.beams->level2.push_back(
          {query.beam1[rank].source.id, ranked.distance, ranked.credit});
  }
}

}  // namespace memmatch::search
