#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sequences.h"
#include "train/recipe.h"

// Claims that bring their evidence, from files of several sources: examples for the warm-up and for
// level 3.

namespace memmatch::train {

struct EvidencePair {
  std::string claim;
  std::string title;                   // of what the evidence is from; may be empty
  std::vector<std::string> sentences;  // of the evidence
  Label label = Label::unverifiable;
};

struct PairSource {
  double weight = 1;
  std::vector<EvidencePair> pairs;  // at least one
};

// A pair as the network reads it.
struct PairExample {
  std::string claim;
  std::vector<SequenceWriter::Pieces> evidence;
  Label label = Label::unverifiable;
};

// Throws Error naming file and line of what cannot be used. Evidence longer than a sentence may be
// at level 1 is taken apart into its sentences.
std::vector<PairSource> read_pair_sources(const std::vector<SourceRecipe>& sources,
                                          const SequenceWriter& writer);

// `count` examples, drawn with the sources' weights by `seed` alone. With the chance `title_noise`
// an example loses its title, or gets that of another: a title is not to decide.
std::vector<PairExample> draw_examples(const std::vector<PairSource>& sources,
                                       const SequenceWriter& writer, double title_noise,
                                       std::uint64_t seed, std::size_t count);

}  // namespace memmatch::train
