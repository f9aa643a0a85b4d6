#include "train/step_batch.h"

#include <algorithm>

namespace memmatch::train {
namespace {

constexpr std::array<Label, 3> kLabels{Label::supports, Label::refutes, Label::unverifiable};

void add_unique(std::vector<Pair>& pairs, const Pair& pair) {
  if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
}

}  // namespace

std::int64_t SequenceSet::add(Sequence sequence) {
  const auto row = static_cast<std::int64_t>(sequences_.size());
  const auto [found, is_new] = rows_.emplace(sequence.tokens, row);
  if (is_new) sequences_.push_back(std::move(sequence));
  return found->second;
}

torch::Tensor LevelBatch::loss(const torch::Tensor& vectors) const {
  return ranked ? ranking_loss(vectors, pairs) : matching_loss(vectors, pairs);
}

double LevelBatch::uninformed_loss() const {
  if (ranked) return uninformed_ranking_loss(pairs);
  const std::int64_t matches =
      std::count_if(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.match; });
  return train::uninformed_loss(matches, static_cast<std::int64_t>(pairs.size()) - matches);
}

void StepBatchWriter::add_claim(StepBatch& batch, const TrainingClaim& claim,
                                const ClaimPairs& pairs, bool head) const {
  add_level1(batch, claim, pairs);
  add_level2(batch, claim, pairs);
  add_level3(batch, claim, writer_.reference_query(claim.text), pairs.reference);
  add_level3(batch, claim, writer_.query(3, claim.text), pairs.predicted);
  if (head) add_head(batch, claim, pairs);
}

void StepBatchWriter::add_level1(StepBatch& batch, const TrainingClaim& claim,
                                 const ClaimPairs& pairs) const {
  if (pairs.level1_matches.empty()) return;
  LevelBatch& level = batch.levels[0];
  const std::int64_t query = level.sequences.add(writer_.query(1, claim.text));
  const auto add = [&](SentenceId id, bool match) {
    const Sequence support = writer_.level1_support(set_.evidence.at(id));
    level.pairs.push_back({query, level.sequences.add(support), match});
  };
  for (const SentenceId id : pairs.level1_matches) add(id, true);
  for (const SentenceId id : pairs.level1_negatives) add(id, false);
}

void StepBatchWriter::add_level2(StepBatch& batch, const TrainingClaim& claim,
                                 const ClaimPairs& pairs) const {
  if (pairs.level2_matches.empty()) return;
  LevelBatch& level = batch.levels[1];
  const SequenceWriter::Pieces pieces = writer_.claim_part(claim.text);
  const std::int64_t query = level.sequences.add(writer_.query(2, claim.text));
  const auto add = [&](SentenceId id, bool match) {
    const Sequence support = writer_.level2_support(pieces, set_.evidence.at(id));
    level.pairs.push_back({query, level.sequences.add(support), match});
  };
  for (const SentenceId id : pairs.level2_matches) add(id, true);
  for (const SentenceId id : pairs.level2_negatives) add(id, false);
}

void StepBatchWriter::add_level3(StepBatch& batch, const TrainingClaim& claim, Sequence query,
                                 std::span<const SentenceId> evidence) const {
  if (evidence.empty()) return;
  add_labels(batch, std::move(query), claim.text, set_.evidence_of(evidence), claim.label);
}

void StepBatchWriter::add_level3(StepBatch& batch, const PairExample& example) const {
  add_labels(batch, writer_.query(3, example.claim), example.claim, example.evidence,
             example.label);
}

void StepBatchWriter::add_labels(StepBatch& batch, Sequence query, std::string_view claim,
                                 std::span<const SequenceWriter::Pieces> evidence,
                                 Label right) const {
  LevelBatch& level = batch.levels[2];
  const SequenceWriter::Pieces pieces = writer_.claim_part(claim);
  const std::int64_t row = level.sequences.add(std::move(query));
  for (const Label label : kLabels) {
    const Sequence support = writer_.level3_support(label, pieces, evidence);
    level.pairs.push_back({row, level.sequences.add(support), label == right});
  }
}

void StepBatchWriter::add_in_batch_negatives(StepBatch& batch,
                                             std::span<const TrainingClaim* const> claims,
                                             std::int64_t count) const {
  LevelBatch& level = batch.levels[0];
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims[i]->chosen.empty()) continue;
    const std::int64_t query = level.sequences.add(writer_.query(1, claims[i]->text));
    std::int64_t added = 0;
    for (std::size_t n = 1; n < claims.size() && added < count; ++n) {
      const TrainingClaim& other = *claims[(i + n) % claims.size()];
      if (other.chosen.empty()) continue;
      const SentenceId id = other.chosen.front();
      if (std::find(claims[i]->gold.begin(), claims[i]->gold.end(), id) != claims[i]->gold.end())
        continue;
      const Sequence support = writer_.level1_support(set_.evidence.at(id));
      add_unique(level.pairs, {query, level.sequences.add(support), false});
      ++added;
    }
  }
}

void StepBatchWriter::add_head(StepBatch& batch, const TrainingClaim& claim,
                               const ClaimPairs& pairs) const {
  const SequenceWriter::Pieces pieces = writer_.claim_part(claim.text);
  if (!pairs.reference.empty())
    add_head_example(batch, pieces, set_.evidence_of(pairs.reference), claim.label);
  if (!pairs.predicted.empty() && pairs.predicted != pairs.reference)
    add_head_example(batch, pieces, set_.evidence_of(pairs.predicted), claim.label);
}

void StepBatchWriter::add_head(StepBatch& batch, const PairExample& example) const {
  add_head_example(batch, writer_.claim_part(example.claim), example.evidence, example.label);
}

void StepBatchWriter::add_head_example(StepBatch& batch, const SequenceWriter::Pieces& claim,
                                       std::span<const SequenceWriter::Pieces> evidence,
                                       Label label) const {
  batch.head.rows.push_back(batch.head.sequences.add(writer_.unlabelled_support(claim, evidence)));
  batch.head.labels.push_back(static_cast<std::int64_t>(label));
}

}  // namespace memmatch::train
