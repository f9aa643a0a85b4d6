#include "audit/alignment.h"

#include <algorithm>
#include <cmath>

#include "memmatch/error.h"
#include "search/distance.h"

namespace memmatch::audit {
namespace {

bool is_fixed(const SequenceText& text, const text::Piece& piece) {
  return std::any_of(text.fixed.begin(), text.fixed.end(), [&](const auto& range) {
    return piece.begin >= range.first && piece.end <= range.second;
  });
}

// Tokens are [CLS], the pieces, [SEP]: places of the pieces, -1 for the others.
std::vector<std::int32_t> places_of(std::span<const std::int32_t> tokens, std::size_t pieces) {
  std::vector<std::int32_t> places;
  for (const std::int32_t token : tokens)
    places.push_back(token >= 1 && std::cmp_less_equal(token, pieces) ? token - 1 : -1);
  return places;
}

// The text of a sequence and the sequence itself are made in two ways.
void expect_same(const SequenceText& text, const Sequence& sequence) {
  bool same = text.pieces.size() + 2 == sequence.tokens.size();
  for (std::size_t i = 0; same && i < text.pieces.size(); ++i)
    same = text.pieces[i].id == sequence.tokens[i + 1];
  if (!same) {
    throw Error(ErrorKind::unsupported,
                "the text cannot be aligned: its parts have other pieces than the whole");
  }
}

Sequence support_of(const SequenceWriter& writer, const AlignmentRequest& request) {
  const SequenceWriter::Pieces claim = writer.claim_part(request.claim);
  std::vector<SequenceWriter::Pieces> evidence;
  for (const EvidenceText& sentence : request.evidence)
    evidence.push_back(writer.evidence_part(sentence.title, sentence.number, sentence.text));
  if (request.level == 1) return writer.level1_support(evidence.at(0));
  if (request.level == 2) return writer.level2_support(claim, evidence.at(0));
  return writer.level3_support(request.label, claim, evidence);
}

// For each of `count` places on one side, the place on the other side with the greatest strength.
template <typename PlaceOf, typename OtherOf>
std::vector<std::int64_t> best(const Links& links, std::size_t count, PlaceOf place, OtherOf other,
                               double Strength::*strength) {
  std::vector<std::int64_t> found(count, -1);
  std::vector<double> greatest(count, 0);
  for (const auto& [places, link] : links) {
    const std::size_t here = place(places);
    if (!(link.*strength > greatest[here])) continue;
    greatest[here] = link.*strength;
    found[here] = static_cast<std::int64_t>(other(places));
  }
  return found;
}

constexpr auto kQuery = [](const auto& places) { return places.first; };
constexpr auto kSupport = [](const auto& places) { return places.second; };

}  // namespace

Links link_filters(std::span<const float> query, std::span<const float> support,
                   std::span<const std::int32_t> query_places,
                   std::span<const std::int32_t> support_places, Scaling scaling) {
  Links links;
  for (std::size_t m = 0; m < query.size(); ++m) {
    if (query_places[m] < 0 || support_places[m] < 0) continue;
    const double q = static_cast<double>(query[m]);
    const double s = static_cast<double>(support[m]);
    const double square = (q - s) * (q - s);
    const double scale = std::exp(-(scaling == Scaling::difference ? std::abs(q - s) : square));
    Strength& link = links[{static_cast<std::size_t>(query_places[m]),
                            static_cast<std::size_t>(support_places[m])}];
    link.squares += square;
    link.query += q * scale;
    link.support += s * scale;
  }
  return links;
}

AlignedText words_of(const SequenceText& text, const text::WordPiece& tokenizer) {
  AlignedText aligned{text.text, {}, {}};
  for (const text::Piece& piece : text.pieces) {
    const bool continues =
        !aligned.words.empty() && aligned.words.back().end == piece.begin &&
        tokenizer.vocabulary().piece(piece.id).starts_with(tokenizer.options().continuation);
    if (continues) {
      aligned.words.back().end = piece.end;
    } else {
      aligned.words.push_back({piece.begin, piece.end, is_fixed(text, piece)});
    }
    aligned.word_of_piece.push_back(aligned.words.size() - 1);
  }
  return aligned;
}

Links merge_to_words(const Links& links, const AlignedText& query, const AlignedText& support) {
  Links merged;
  for (const auto& [places, link] : links) {
    Strength& word =
        merged[{query.word_of_piece[places.first], support.word_of_piece[places.second]}];
    word.squares += link.squares;
    word.query += link.query;
    word.support += link.support;
  }
  return merged;
}

std::vector<std::int64_t> Alignment::best_supports() const {
  return best(links, query.words.size(), kQuery, kSupport, &Strength::query);
}

std::vector<std::int64_t> Alignment::best_queries() const {
  return best(links, support.words.size(), kSupport, kQuery, &Strength::support);
}

std::vector<AlignedGroup> Alignment::groups() const {
  std::vector<AlignedGroup> groups;
  const std::vector<std::int64_t> supports = best_supports();
  for (std::size_t i = 0; i < supports.size(); ++i) {
    if (supports[i] < 0 || query.words[i].fixed) continue;
    const auto support_word = static_cast<std::size_t>(supports[i]);
    const double strength = links.at({i, support_word}).query;
    if (!groups.empty() && groups.back().last == i && groups.back().support == support_word) {
      groups.back().last = i + 1;
      groups.back().strength += strength;
    } else {
      groups.push_back({i, i + 1, support_word, strength});
    }
  }
  return groups;
}

Alignment align(search::Network& network, const AlignmentRequest& request) {
  const SequenceWriter& writer = network.writer();
  const SequenceText query = writer.query_text(request.level, request.claim);
  const SequenceText support =
      writer.support_text(request.level, request.label, request.claim, request.evidence);
  const Sequence query_sequence = writer.query(request.level, request.claim);
  const Sequence support_sequence = support_of(writer, request);
  expect_same(query, query_sequence);
  expect_same(support, support_sequence);
  search::Batch batch;
  batch.add(query_sequence);
  batch.add(support_sequence);
  const auto [vectors, all_tokens] = network.encode_traced(batch, request.level);
  const std::size_t filters = network.dimension();
  const std::span<const std::int32_t> tokens(all_tokens);
  const auto query_places = places_of(tokens.first(filters), query.pieces.size());
  const auto support_places = places_of(tokens.subspan(filters), support.pieces.size());

  Alignment alignment;
  alignment.level = request.level;
  alignment.distance = search::distance(vectors[0], vectors[1]);
  alignment.query = words_of(query, network.tokenizer());
  alignment.support = words_of(support, network.tokenizer());
  alignment.links =
      merge_to_words(link_filters(vectors[0], vectors[1], query_places, support_places),
                     alignment.query, alignment.support);
  alignment.filters = filters;
  for (std::size_t m = 0; m < filters; ++m)
    alignment.linked_filters += query_places[m] >= 0 && support_places[m] >= 0;
  return alignment;
}

}  // namespace memmatch::audit
