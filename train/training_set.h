#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "memmatch/datastore.h"
#include "model/sequences.h"
#include "train/recipe.h"

namespace memmatch::train {

struct TrainingClaim {
  std::string text;
  Label label = Label::unverifiable;
  std::vector<SentenceId> chosen;      // the chosen evidence, as far as the datastore has it
  std::vector<SentenceId> gold;        // of all evidence sets, sorted
  std::vector<SentenceId> candidates;  // the title cover
  std::vector<SentenceId> by_overlap;  // the candidates, most shared words first; may be left out

  bool verifiable() const { return label != Label::unverifiable; }
};

// All that training reads, in memory: about 200 bytes for each sentence within reach of a claim.
struct TrainingSet {
  std::vector<TrainingClaim> claims;
  std::unordered_map<SentenceId, SequenceWriter::Pieces> evidence;  // "Evidence: Title, …"

  std::vector<SequenceWriter::Pieces> evidence_of(std::span<const SentenceId> ids) const;
};

// Throws Error naming file and line of what cannot be used; a claim without a label is such.
// `rank`: also fill TrainingClaim::by_overlap.
TrainingSet load_training_set(const DataRecipe& data, const SequenceWriter& writer, bool rank,
                              const ProgressCallback& progress = {});

// The claims of a stretch of training, as indexes: an endless stream of shuffled passes over all
// claims, of which this is [begin, begin + count). With `unverifiable_share`, unverifiable claims
// come more often (or less) in each pass.
std::vector<std::size_t> draw_claims(const TrainingSet& set, double unverifiable_share,
                                     std::uint64_t seed, std::int64_t begin, std::int64_t count);

// How many claims one such pass has.
std::int64_t claims_of_a_pass(const TrainingSet& set, double unverifiable_share);

}  // namespace memmatch::train
