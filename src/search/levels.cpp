#include "search/levels.h"

#include <algorithm>

#include "memmatch/error.h"
#include "text/unicode.h"

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

Query make_query(const Network& network, std::string_view claim) {
  Query query;
  query.claim = text::tidy(claim);
  if (query.claim.empty()) throw Error(ErrorKind::invalid_argument, "the claim is empty");
  query.words = text::SharedWords(query.claim);
  query.pieces = network.writer().claim_part(query.claim);
  return query;
}

Vectors level1_queries(Network& network, std::span<const Query> queries) {
  Batch batch;
  for (const Query& query : queries) batch.add(network.writer().query(1, query.claim));
  return network.encode(batch, 1);
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
  const Vectors query_vectors = level1_queries(network, queries);
  std::vector<float> support(network.dimension());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    std::vector<Ranked> ranked;
    for (const SentenceId id : candidates[i]) {
      if (vectors.find(id, support)) ranked.push_back({id, distance(query_vectors[i], support)});
    }
    set_beam1(queries[i], std::move(ranked), store, network, k1);
  }
}

namespace {

// Where the vectors of a query's sequences at level 2 are.
struct Level2Rows {
  std::size_t claim = 0;
  std::vector<std::size_t> supports = {};  // in the order of beam1
};

Level2Rows add_level2(const SequenceWriter& writer, const Query& query, Batch& batch) {
  Level2Rows rows{.claim = batch.add(writer.query(2, query.claim))};
  for (const Support& support : query.beam1)
    rows.supports.push_back(batch.add(writer.level2_support(query.pieces, support.pieces)));
  return rows;
}

void set_beam2(Query& query, const Level2Rows& rows, const Vectors& vectors, double letter_credit,
               bool difference) {
  const std::span<const float> claim = vectors[rows.claim];
  query.beam2.clear();
  for (std::size_t i = 0; i < rows.supports.size(); ++i) {
    query.beam2.push_back({static_cast<std::int64_t>(i), distance(claim, vectors[rows.supports[i]]),
                           letter_credit * query.beam1[i].shared_letters});
  }
  keep_nearest(query.beam2, query.beam2.size());
  query.difference.clear();
  if (!difference || query.beam2.empty()) return;
  const auto nearest = static_cast<std::size_t>(query.beam2.front().id);
  append_difference(claim, vectors[rows.supports[nearest]], query.difference);
}

}  // namespace

void level2(Network& network, std::span<Query> queries, bool difference) {
  for (std::size_t begin = 0; begin < queries.size();) {
    Batch batch;
    std::vector<Level2Rows> rows;
    for (const Query& query : queries.subspan(begin)) {
      if (!rows.empty() && batch.rows() + query.beam1.size() + 1 > kSequencesTogether) break;
      rows.push_back(add_level2(network.writer(), query, batch));
    }
    const Vectors vectors = network.encode(batch, 2);
    for (const Level2Rows& of_query : rows)
      set_beam2(queries[begin++], of_query, vectors, network.search().word_credit[1], difference);
  }
}

namespace {

// Where the vectors of a decision's sequences are.
struct Level3Rows {
  std::size_t claim = 0;
  std::vector<std::vector<std::size_t>> supports = {};  // by reading, then by label
};

Level3Rows add_level3(const Network& network, const Decision& decision,
                      std::span<const Label> labels, Batch& batch) {
  const SequenceWriter& writer = network.writer();
  const Query& query = *decision.query;
  Level3Rows rows{.claim = batch.add(writer.query(3, query.claim))};
  for (const std::size_t sentences : readings(decision, network.search())) {
    std::vector<SequenceWriter::Pieces> evidence;
    for (const std::size_t i : std::span(decision.evidence).first(sentences))
      evidence.push_back(query.beam1[i].pieces);
    std::vector<std::size_t>& of_reading = rows.supports.emplace_back();
    for (const Label label : labels)
      of_reading.push_back(batch.add(writer.level3_support(label, query.pieces, evidence)));
  }
  return rows;
}

void set_distances(Decision& decision, const Level3Rows& rows, const Vectors& vectors,
                   std::size_t labels, bool difference) {
  const std::span<const float> claim = vectors[rows.claim];
  for (std::size_t label = 0; label < labels; ++label) {
    double sum = 0;
    for (const std::vector<std::size_t>& of_reading : rows.supports)
      sum += distance(claim, vectors[of_reading[label]]);
    decision.distances[label] = sum / static_cast<double>(rows.supports.size());
  }
  if (!difference) return;
  const auto nearest = static_cast<std::size_t>(nearest_label(decision.distances));
  append_difference(claim, vectors[rows.supports.front()[nearest]], decision.difference);
}

}  // namespace

void level3(Network& network, std::span<Decision> decisions, bool two_class, bool difference) {
  const std::span<const Label> labels = std::span(kLabels).first(two_class ? 2 : 3);
  const std::size_t together =
      std::max<std::size_t>(1, kSequencesTogether / (2 * labels.size() + 1));
  for (std::size_t begin = 0; begin < decisions.size(); begin += together) {
    const std::span<Decision> some =
        decisions.subspan(begin, std::min(together, decisions.size() - begin));
    Batch batch;
    std::vector<Level3Rows> rows;
    for (const Decision& decision : some)
      rows.push_back(add_level3(network, decision, labels, batch));
    const Vectors vectors = network.encode(batch, 3);
    for (std::size_t i = 0; i < some.size(); ++i)
      set_distances(some[i], rows[i], vectors, labels.size(), difference);
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
