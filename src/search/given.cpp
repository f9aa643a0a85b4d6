#include "search/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "memmatch/error.h"
#include "search/verdicts.h"
#include "text/sentence_split.h"
#include "text/unicode.h"

namespace memmatch::search {
namespace {

SequenceWriter::Pieces pieces_of(const SequenceWriter& writer, const GivenEvidence& given) {
  return given.title.empty() ? writer.evidence_part(given.text)
                             : writer.evidence_part(given.title, given.number, given.text);
}

std::vector<Support> supports_of(const Network& network, const Query& query,
                                 std::span<const GivenEvidence> evidence) {
  std::vector<Support> supports;
  for (GivenEvidence given : evidence) {
    given.text = text::tidy(given.text);
    Support& support = supports.emplace_back();
    support.shared_letters = query.words.letters(given.title, given.text);
    support.pieces = pieces_of(network.writer(), given);
    support.source = {0, std::move(given.title), given.number, std::move(given.text)};
  }
  return supports;
}

// Brings the beam into level 1's order, and gives where its sentences stood before. `rows` are
// those of its sentences' vectors.
std::vector<std::size_t> rank(Query& query, const Vectors& vectors, std::size_t claim,
                              std::span<const std::size_t> rows, double letter_credit) {
  std::vector<Support> supports = std::exchange(query.beam1, {});
  std::vector<Ranked> ranked;  // indexes into `supports`
  for (std::size_t i = 0; i < supports.size(); ++i) {
    supports[i].level1_distance = distance(vectors[claim], vectors[rows[i]]);
    ranked.push_back({static_cast<std::int64_t>(i), supports[i].level1_distance,
                      letter_credit * supports[i].shared_letters});
  }
  keep_nearest(ranked, ranked.size());
  std::vector<std::size_t> places;
  for (const Ranked& one : ranked) {
    places.push_back(static_cast<std::size_t>(one.id));
    query.beam1.push_back(std::move(supports[places.back()]));
  }
  return places;
}

// Level 1 of all queries, as rank().
std::vector<std::vector<std::size_t>> level1_given(Network& network, std::span<Query> queries) {
  const SequenceWriter& writer = network.writer();
  Batch batch;
  std::vector<std::size_t> claims;
  std::vector<std::vector<std::size_t>> supports;
  for (const Query& query : queries) {
    claims.push_back(batch.add(writer.query(1, query.claim)));
    supports.emplace_back();
    for (const Support& support : query.beam1)
      supports.back().push_back(batch.add(writer.level1_support(support.pieces)));
  }
  const Vectors vectors = network.encode(batch, 1);
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    places.push_back(
        rank(queries[i], vectors, claims[i], supports[i], network.search().word_credit[0]));
  }
  return places;
}

}  // namespace

std::vector<Verdict> verify_given(Network& network, std::span<const std::string> claims,
                                  std::span<const std::vector<GivenEvidence>> evidence,
                                  const SearchOptions& options) {
  std::vector<Query> queries;
  std::size_t most = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (evidence[i].empty() || evidence[i].size() > std::size_t{kLargestBeam}) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("{} sentences are given as evidence; it must be from 1 to {}",
                              evidence[i].size(), kLargestBeam));
    }
    queries.push_back(make_query(network, claims[i]));
    queries.back().beam1 = supports_of(network, queries.back(), evidence[i]);
    most = std::max(most, evidence[i].size());
  }
  const std::vector<std::vector<std::size_t>> places = level1_given(network, queries);
  level2(network, queries, options.difference);
  const SweepCell all{static_cast<int>(most), static_cast<int>(most)};
  Decisions decisions(queries, std::span(&all, 1));
  decide(network, decisions.distinct, options);
  std::vector<Verdict> verdicts(claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    verdicts[i].origin = CandidateOrigin::given;
    verdicts[i].candidates = evidence[i].size();
    fill(verdicts[i], network, queries[i], decisions.distinct[decisions.of_cell[i][0]], options);
    for (Evidence& sentence : verdicts[i].evidence) {
      const auto rank = static_cast<std::size_t>(sentence.level1_rank);
      sentence.raw_title = evidence[i][places[i][rank]].raw_title;
    }
  }
  return verdicts;
}

std::vector<GivenEvidence> sentences_of(const SequenceWriter& writer, const GivenEvidence& text) {
  const auto room = [&](const GivenEvidence& part) {
    return writer.evidence_room(part.title, part.number, part.text);
  };
  if (room(text) == text.text.size()) return {text};
  std::vector<GivenEvidence> sentences;
  int number = text.number;
  for (const std::string& sentence : text::split_sentences(text.text)) {
    GivenEvidence rest{text.raw_title, text.title, number++, sentence};
    while (!rest.text.empty()) {
      GivenEvidence part = rest;
      part.text.resize(room(rest));
      rest.text.erase(0, part.text.size());
      rest.text = text::tidy(rest.text);
      sentences.push_back(std::move(part));
    }
  }
  return sentences;
}

}  // namespace memmatch::search
