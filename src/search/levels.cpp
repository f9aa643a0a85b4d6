#include "search/levels.h"

#include <algorithm>

namespace memmatch::search {
namespace {

// Claims whose level-2 or level-3 sequences are encoded together are limited by these; a single
// claim may have more.
constexpr std::size_t kSequencesTogether = 1024;

constexpr std::array<Label, 3> kLabels{Label::supports, Label::refutes, Label::unverifiable};

// How many sentences of the evidence each reading of level 3 has; the first has all.
std::vector<std::size_t> readings(const Decision& decision, const SearchConfig& search) {
  const std::size_t all = decision.evidence.size();
  if (search.first_alone && all > 1) return {all, 1};
  return {all};
}

}  // namespace

std::vector<float> level1_queries(Network& network, std::span<const Query> queries) {
  for (const Query& query : queries) network.add(network.writer().query(1, query.claim));
  const std::span<const float> vectors = network.encode(1);
  return {vectors.begin(), vectors.end()};
}

void set_beam1(Query& query, std::vector<Ranked> found, Datastore& store, const Network& network,
               std::size_t k1) {
  const double letter_credit = network.search().word_credit[0];
  if (letter_credit == 0) keep_nearest(found, k1);  // so that only their texts are read
  std::vector<SentenceId> ids;
  for (const Ranked& one : found) ids.push_back(one.id);
  std::vector<Support> supports;
  std::vector<Ranked> ranked;  // indexes into `supports`
  std::size_t next = 0;
  for (VectorSource& source : store.vector_sources(ids)) {
    while (found[next].id != source.id) ++next;  // a sentence may have been deleted meanwhile
    const int shared = query.words.letters(source.title, source.text);
    ranked.push_back(
        {static_cast<std::int64_t>(supports.size()), found[next].distance, letter_credit * shared});
    supports.push_back({std::move(source), found[next].distance, shared, {}});
  }
  keep_nearest(ranked, k1);
  query.beam1.clear();
  for (const Ranked& one : ranked) {
    Support& kept = query.beam1.emplace_back(std::move(supports[static_cast<std::size_t>(one.id)]));
    kept.pieces =
        network.writer().evidence_part(kept.source.title, kept.source.number, kept.source.text);
  }
}

void level1(Network& network, Level1Vectors& vectors, Datastore& store, std::span<Query> queries,
            std::span<const std::vector<SentenceId>> candidates, std::size_t k1) {
  std::vector<SentenceId> needed;
  for (const std::vector<SentenceId>& ids : candidates)
    needed.insert(needed.end(), ids.begin(), ids.end());
  vectors.need(needed);
  const std::vector<float> query_vectors = level1_queries(network, queries);
  std::vector<float> support(network.dimension());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto query =
        std::span(query_vectors).subspan(i * network.dimension(), network.dimension());
    std::vector<Ranked> ranked;
    for (const SentenceId id : candidates[i]) {
      if (vectors.find(id, support)) ranked.push_back({id, distance(query, support)});
    }
    set_beam1(queries[i], std::move(ranked), store, network, k1);
  }
}

void level2(Network& network, std::span<Query> queries, bool difference) {
  const SequenceWriter& writer = network.writer();
  for (std::size_t begin = 0; begin < queries.size();) {
    std::size_t end = begin;
    for (std::size_t sequences = 0; end < queries.size(); ++end) {
      sequences += queries[end].beam1.size() + 1;
      if (end > begin && sequences > kSequencesTogether) break;
      network.add(writer.query(2, queries[end].claim));
      for (const Support& support : queries[end].beam1) {
        network.add(writer.level2_support(queries[end].pieces, support.pieces));
      }
    }
    network.encode(2);
    std::size_t row = 0;
    for (; begin < end; ++begin) {
      Query& query = queries[begin];
      const std::span<const float> claim = network.vector(row++);
      query.beam2.clear();
      for (std::size_t i = 0; i < query.beam1.size(); ++i) {
        query.beam2.push_back({static_cast<std::int64_t>(i),
                               distance(claim, network.vector(row + i)),
                               network.search().word_credit[1] * query.beam1[i].shared_letters});
      }
      keep_nearest(query.beam2, query.beam2.size());
      query.difference.clear();
      if (difference && !query.beam2.empty()) {
        const auto nearest = static_cast<std::size_t>(query.beam2.front().id);
        append_difference(claim, network.vector(row + nearest), query.difference);
      }
      row += query.beam1.size();
    }
  }
}

void level3(Network& network, std::span<Decision> decisions, bool two_class, bool difference) {
  const SequenceWriter& writer = network.writer();
  const std::span<const Label> labels = std::span(kLabels).first(two_class ? 2 : 3);
  const std::size_t together =
      std::max<std::size_t>(1, kSequencesTogether / (2 * labels.size() + 1));
  for (std::size_t begin = 0; begin < decisions.size(); begin += together) {
    const std::span<Decision> some =
        decisions.subspan(begin, std::min(together, decisions.size() - begin));
    for (const Decision& decision : some) {
      network.add(writer.query(3, decision.query->claim));
      for (const std::size_t sentences : readings(decision, network.search())) {
        std::vector<SequenceWriter::Pieces> evidence;
        for (const std::size_t i : std::span(decision.evidence).first(sentences))
          evidence.push_back(decision.query->beam1[i].pieces);
        for (const Label label : labels)
          network.add(writer.level3_support(label, decision.query->pieces, evidence));
      }
    }
    network.encode(3);
    std::size_t row = 0;
    for (Decision& decision : some) {
      const std::size_t claim = row++;
      const std::size_t count = readings(decision, network.search()).size();
      const auto distance_of = [&](std::size_t support) {
        return distance(network.vector(claim), network.vector(support));
      };
      for (std::size_t i = 0; i < labels.size(); ++i) {
        double sum = 0;
        for (std::size_t n = 0; n < count; ++n) sum += distance_of(row + n * labels.size() + i);
        decision.distances[i] = sum / static_cast<double>(count);
      }
      if (difference) {
        const auto nearest = static_cast<std::size_t>(nearest_label(decision.distances));
        append_difference(network.vector(claim), network.vector(row + nearest),
                          decision.difference);
      }
      row += count * labels.size();
    }
  }
}

Label nearest_label(const std::array<std::optional<double>, 3>& distances) {
  Label nearest = Label::unverifiable;
  std::optional<double> least;
  for (const Label label : kLabels) {
    const std::optional<double>& distance = distances[static_cast<std::size_t>(label)];
    if (!distance || (least && *distance >= *least)) continue;
    least = distance;
    nearest = label;
  }
  return nearest;
}

}  // namespace memmatch::search
