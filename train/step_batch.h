#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "model/sequences.h"
#include "train/loss.h"
#include "train/pair_sources.h"
#include "train/pairs.h"

// A mini-batch of claims as the network reads it: for each level its distinct sequences and the
// pairs among them. A query that stands in several pairs is encoded once.

namespace memmatch::train {

// Distinct sequences, in the order in which they were added.
class SequenceSet {
 public:
  // Its row, whether it is new or known.
  std::int64_t add(Sequence sequence);

  const std::vector<Sequence>& sequences() const { return sequences_; }

 private:
  std::vector<Sequence> sequences_;
  std::map<std::vector<std::int32_t>, std::int64_t> rows_;  // by tokens
};

struct LevelBatch {
  SequenceSet sequences;
  std::vector<Pair> pairs;  // rows of `sequences`
  bool ranked = false;      // its loss is ranking_loss, not matching_loss

  torch::Tensor loss(const torch::Tensor& vectors) const;
  double uninformed_loss() const;
};

// What the three-way head reads, and the labels it is to give.
struct HeadBatch {
  SequenceSet sequences;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> labels;
};

// Plain texts, and the embeddings that the encoder is to have of them.
struct EmbeddingBatch {
  SequenceSet sequences;
  std::vector<float> wanted;  // [sequences][hidden]; without them nothing is trained by it
};

struct StepBatch {
  std::array<LevelBatch, 3> levels;
  HeadBatch head;
  EmbeddingBatch embedding;
};

class StepBatchWriter {
 public:
  StepBatchWriter(const SequenceWriter& writer, const TrainingSet& set)
      : writer_(writer), set_(set) {}

  // The pairs of all levels; `head` adds the head's examples.
  void add_claim(StepBatch& batch, const TrainingClaim& claim, const ClaimPairs& pairs,
                 bool head) const;

  // At level 1, for each claim (in the order in which they were added) `count` supports of other
  // claims that are none of its own gold: no sequence is added.
  void add_in_batch_negatives(StepBatch& batch, std::span<const TrainingClaim* const> claims,
                              std::int64_t count) const;

  // The three labels beside the example's evidence, at level 3.
  void add_level3(StepBatch& batch, const PairExample& example) const;

  // The head's examples alone: the claim with predicted and with annotated evidence.
  void add_head(StepBatch& batch, const TrainingClaim& claim, const ClaimPairs& pairs) const;
  void add_head(StepBatch& batch, const PairExample& example) const;

 private:
  void add_level1(StepBatch& batch, const TrainingClaim& claim, const ClaimPairs& pairs) const;
  void add_level2(StepBatch& batch, const TrainingClaim& claim, const ClaimPairs& pairs) const;
  void add_level3(StepBatch& batch, const TrainingClaim& claim, Sequence query,
                  std::span<const SentenceId> evidence) const;
  void add_labels(StepBatch& batch, Sequence query, std::string_view claim,
                  std::span<const SequenceWriter::Pieces> evidence, Label right) const;
  void add_head_example(StepBatch& batch, const SequenceWriter::Pieces& claim,
                        std::span<const SequenceWriter::Pieces> evidence, Label label) const;

  const SequenceWriter& writer_;
  const TrainingSet& set_;
};

}  // namespace memmatch::train
