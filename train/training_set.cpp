#include "train/training_set.h"

#include <algorithm>
#include <cmath>

#include "data/claims.h"
#include "eval/gold_evidence.h"
#include "eval/overlap_baseline.h"
#include "memmatch/error.h"
#include "model/initialize.h"
#include "train/noise.h"

namespace memmatch::train {
namespace {

std::vector<data::Claim> read_claims(const std::vector<std::string>& files) {
  std::vector<data::Claim> claims;
  for (const std::string& file : files) {
    data::ClaimReader reader(file);
    for (data::Claim claim; reader.next(claim);) {
      if (!claim.label) {
        throw Error(ErrorKind::corrupt, reader.where() + ": a training claim needs a label");
      }
      claims.push_back(std::move(claim));
    }
  }
  if (claims.empty()) throw Error(ErrorKind::invalid_argument, "there are no training claims");
  return claims;
}

// Ids that are in the datastore, 0 standing for one that is not.
std::vector<SentenceId> present(const std::vector<SentenceId>& ids) {
  std::vector<SentenceId> result;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(result),
               [](SentenceId id) { return id != 0; });
  return result;
}

// Reads the texts of these sentences unless they are there already.
void need_evidence(TrainingSet& set, Datastore& store, const SequenceWriter& writer,
                   const std::vector<SentenceId>& ids) {
  std::vector<SentenceId> missing;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(missing),
               [&](SentenceId id) { return !set.evidence.contains(id); });
  for (const VectorSource& source : store.vector_sources(missing)) {
    if (!source.text.empty())
      set.evidence[source.id] = writer.evidence_part(source.title, source.number, source.text);
  }
}

}  // namespace

std::vector<SequenceWriter::Pieces> TrainingSet::evidence_of(
    std::span<const SentenceId> ids) const {
  std::vector<SequenceWriter::Pieces> pieces;
  for (const SentenceId id : ids) pieces.push_back(evidence.at(id));
  return pieces;
}

TrainingSet load_training_set(const DataRecipe& data, const SequenceWriter& writer, bool rank,
                              const ProgressCallback& progress) {
  Datastore store = Datastore::open(data.store, Datastore::Access::read);
  const std::vector<data::Claim> claims = read_claims(data.train);
  eval::OverlapBaseline overlap;
  if (rank) {
    for (const data::Claim& claim : claims) overlap.note_words(claim.text);
    overlap.count(store);
  }
  TrainingSet set;
  for (const data::Claim& claim : claims) {
    const Cover cover = store.cover(claim.text);
    const eval::GoldEvidence gold = eval::find_gold_evidence(store, claim, cover);
    TrainingClaim& one = set.claims.emplace_back();
    one.text = claim.text;
    one.label = *claim.label;
    one.chosen = present(gold.chosen);
    one.gold = gold.sentences;
    for (const Candidate& candidate : cover.sentences) one.candidates.push_back(candidate.id);
    if (rank) {
      for (const eval::RankedSentence& ranked : overlap.rank(store, claim.text, cover))
        one.by_overlap.push_back(ranked.id);
    }
    need_evidence(set, store, writer, one.candidates);
    need_evidence(set, store, writer, one.chosen);
    // A chosen sentence without text is no evidence.
    std::erase_if(one.chosen, [&](SentenceId id) { return !set.evidence.contains(id); });
    if (progress) progress({set.claims.size(), claims.size()});
  }
  return set;
}

std::int64_t claims_of_a_pass(const TrainingSet& set, double unverifiable_share) {
  const auto verifiable =
      std::count_if(set.claims.begin(), set.claims.end(),
                    [](const TrainingClaim& claim) { return claim.verifiable(); });
  const auto all = static_cast<std::int64_t>(set.claims.size());
  if (unverifiable_share <= 0 || verifiable == 0 || verifiable == all) return all;
  return verifiable + std::llround(static_cast<double>(verifiable) * unverifiable_share /
                                   (1 - unverifiable_share));
}

namespace {

void shuffle(std::vector<std::size_t>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) {
    const auto j = static_cast<std::size_t>(random.uniform() * static_cast<double>(i));
    std::swap(values[i - 1], values[j]);
  }
}

std::vector<std::size_t> one_pass(const TrainingSet& set, double unverifiable_share,
                                  std::uint64_t seed, std::uint64_t pass) {
  Random random(mix_seed({seed, pass}));
  std::vector<std::size_t> claims, unverifiable;
  for (std::size_t i = 0; i < set.claims.size(); ++i)
    (set.claims[i].verifiable() ? claims : unverifiable).push_back(i);
  const auto total = static_cast<std::size_t>(claims_of_a_pass(set, unverifiable_share));
  // Each as often as the others, but for a rest that is drawn.
  while (claims.size() < total) {
    shuffle(unverifiable, random);
    const std::size_t some = std::min(unverifiable.size(), total - claims.size());
    claims.insert(claims.end(), unverifiable.begin(),
                  unverifiable.begin() + static_cast<std::ptrdiff_t>(some));
  }
  shuffle(claims, random);
  return claims;
}

}  // namespace

std::vector<std::size_t> draw_claims(const TrainingSet& set, double unverifiable_share,
                                     std::uint64_t seed, std::int64_t begin, std::int64_t count) {
  const std::int64_t pass_size = claims_of_a_pass(set, unverifiable_share);
  std::vector<std::size_t> drawn;
  while (count > 0) {
    const std::vector<std::size_t> pass =
        one_pass(set, unverifiable_share, seed, static_cast<std::uint64_t>(begin / pass_size));
    const std::int64_t from = begin % pass_size;
    const std::int64_t some = std::min(count, pass_size - from);
    drawn.insert(drawn.end(), pass.begin() + from, pass.begin() + from + some);
    begin += some;
    count -= some;
  }
  return drawn;
}

}  // namespace memmatch::train
