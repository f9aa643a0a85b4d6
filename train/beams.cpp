#include "train/beams.h"

#include <algorithm>
#include <unordered_map>

#include "search/distance.h"

namespace memmatch::train {
namespace {

using search::Batch;
using search::Network;
using search::Ranked;
using search::Vectors;

// Claims that are searched together, so that a candidate of several is encoded once; bounds the
// memory of their vectors.
constexpr std::size_t kClaimsTogether = 1024;
constexpr std::size_t kSequencesTogether = 2048;

// Level-1 vectors of all candidates of some claims.
class CandidateVectors {
 public:
  CandidateVectors(const TrainingSet& set, std::span<const std::size_t> claims, Network& network)
      : dimension_(network.dimension()) {
    std::vector<SentenceId> ids;
    for (const std::size_t claim : claims) {
      for (const SentenceId id : set.claims[claim].candidates) {
        if (rows_.emplace(id, ids.size()).second) ids.push_back(id);
      }
    }
    vectors_.reserve(ids.size() * dimension_);
    for (std::size_t begin = 0; begin < ids.size(); begin += kSequencesTogether) {
      const std::size_t end = std::min(ids.size(), begin + kSequencesTogether);
      Batch batch;
      for (std::size_t i = begin; i < end; ++i)
        batch.add(network.writer().level1_support(set.evidence.at(ids[i])));
      const Vectors some = network.encode(batch, 1);
      vectors_.insert(vectors_.end(), some.values().begin(), some.values().end());
    }
  }

  std::span<const float> operator[](SentenceId id) const {
    return std::span(vectors_).subspan(rows_.at(id) * dimension_, dimension_);
  }

 private:
  std::size_t dimension_;
  std::unordered_map<SentenceId, std::size_t> rows_;
  std::vector<float> vectors_;
};

void level1(const TrainingSet& set, std::span<const std::size_t> claims, Network& network,
            std::int64_t k1, std::span<Beam> beams) {
  const CandidateVectors vectors(set, claims, network);
  Batch batch;
  for (const std::size_t claim : claims)
    batch.add(network.writer().query(1, set.claims[claim].text));
  const Vectors queries = network.encode(batch, 1);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    std::vector<Ranked> ranked;
    for (const SentenceId id : set.claims[claims[i]].candidates)
      ranked.push_back({id, search::distance(queries[i], vectors[id])});
    search::keep_nearest(ranked, static_cast<std::size_t>(k1));
    for (const Ranked& one : ranked) beams[i].level1.push_back(one.id);
  }
}

// Where the vectors of a claim's sequences at level 2 are.
struct Level2Rows {
  std::size_t claim = 0;
  std::vector<std::size_t> supports = {};  // in the order of Beam::level1
};

void level2(const TrainingSet& set, std::span<const std::size_t> claims, Network& network,
            std::span<Beam> beams) {
  const SequenceWriter& writer = network.writer();
  for (std::size_t begin = 0; begin < claims.size();) {
    Batch batch;
    std::vector<Level2Rows> rows;
    for (std::size_t i = begin; i < claims.size() && batch.rows() < kSequencesTogether; ++i) {
      const TrainingClaim& claim = set.claims[claims[i]];
      const SequenceWriter::Pieces pieces = writer.claim_part(claim.text);
      Level2Rows& of_claim = rows.emplace_back();
      of_claim.claim = batch.add(writer.query(2, claim.text));
      for (const SentenceId id : beams[i].level1)
        of_claim.supports.push_back(batch.add(writer.level2_support(pieces, set.evidence.at(id))));
    }
    const Vectors vectors = network.encode(batch, 2);
    for (const Level2Rows& of_claim : rows) {
      Beam& beam = beams[begin++];
      std::vector<Ranked> ranked;  // by rank at level 1, which also breaks ties
      for (const std::size_t row : of_claim.supports)
        ranked.push_back({static_cast<std::int64_t>(ranked.size()),
                          search::distance(vectors[of_claim.claim], vectors[row])});
      search::keep_nearest(ranked, ranked.size());
      for (const Ranked& one : ranked)
        beam.level2.push_back(beam.level1[static_cast<std::size_t>(one.id)]);
    }
  }
}

}  // namespace

std::vector<Beam> search_beams(const TrainingSet& set, std::span<const std::size_t> claims,
                               Network& network, const StageRecipe& stage,
                               const ProgressCallback& progress) {
  std::vector<Beam> beams(claims.size());
  for (std::size_t begin = 0; begin < claims.size(); begin += kClaimsTogether) {
    const std::size_t count = std::min(kClaimsTogether, claims.size() - begin);
    const std::span<Beam> some = std::span(beams).subspan(begin, count);
    level1(set, claims.subspan(begin, count), network, stage.k1, some);
    level2(set, claims.subspan(begin, count), network, some);
    if (progress) progress({begin + count, claims.size()});
  }
  return beams;
}

std::vector<Beam> overlap_beams(const TrainingSet& set, std::span<const std::size_t> claims,
                                const StageRecipe& stage) {
  std::vector<Beam> beams;
  for (const std::size_t claim : claims) {
    const std::vector<SentenceId>& ranking = set.claims[claim].by_overlap;
    const auto k1 = std::min(ranking.size(), static_cast<std::size_t>(stage.k1));
    Beam& beam = beams.emplace_back();
    beam.level1.assign(ranking.begin(), ranking.begin() + static_cast<std::ptrdiff_t>(k1));
    beam.level2 = beam.level1;
  }
  return beams;
}

}  // namespace memmatch::train
