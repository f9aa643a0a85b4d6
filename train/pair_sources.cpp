#include "train/pair_sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/pairs.h"
#include "memmatch/error.h"
#include "model/initialize.h"
#include "search/given.h"

namespace memmatch::train {
namespace {

// Numbers that sentences of a document often have.
constexpr int kSentenceNumbers = 8;

std::vector<EvidencePair> read_pairs(const std::string& file, const SequenceWriter& writer) {
  std::vector<EvidencePair> pairs;
  data::PairReader reader(file);
  for (data::Pair read; reader.next(read);) {
    EvidencePair& pair = pairs.emplace_back();
    pair.claim = read.claim.text;
    pair.label = read.claim.label.value();
    for (const GivenEvidence& text : read.evidence) {
      pair.title = text.title;
      for (GivenEvidence& sentence : search::sentences_of(writer, text))
        pair.sentences.push_back(std::move(sentence.text));
    }
  }
  if (pairs.empty())
    throw Error(ErrorKind::invalid_argument, fmt::format("{}: there are no pairs in it", file));
  return pairs;
}

std::size_t below(std::size_t bound, Random& random) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(bound));
}

const EvidencePair& draw(const std::vector<PairSource>& sources, double all_weights,
                         Random& random) {
  double place = random.uniform() * all_weights;
  auto source = sources.begin();
  for (; source + 1 != sources.end() && place >= source->weight; ++source) place -= source->weight;
  return source->pairs[below(source->pairs.size(), random)];
}

}  // namespace

std::vector<PairSource> read_pair_sources(const std::vector<SourceRecipe>& sources,
                                          const SequenceWriter& writer) {
  std::vector<PairSource> result;
  for (const SourceRecipe& source : sources)
    result.push_back({source.weight, read_pairs(source.file, writer)});
  return result;
}

std::vector<PairExample> draw_examples(const std::vector<PairSource>& sources,
                                       const SequenceWriter& writer, double title_noise,
                                       std::uint64_t seed, std::size_t count) {
  Random random(seed);
  double all_weights = 0;
  for (const PairSource& source : sources) all_weights += source.weight;
  std::vector<PairExample> examples;
  while (examples.size() < count) {
    const EvidencePair& pair = draw(sources, all_weights, random);
    const double noise = random.uniform();
    const EvidencePair& titled =
        noise < title_noise / 2 ? draw(sources, all_weights, random) : pair;
    const bool untitled = titled.title.empty() || (noise >= title_noise / 2 && noise < title_noise);
    int number = static_cast<int>(below(kSentenceNumbers, random));
    PairExample& example = examples.emplace_back();
    example.claim = pair.claim;
    example.label = pair.label;
    for (const std::string& sentence : pair.sentences) {
      example.evidence.push_back(untitled ? writer.evidence_part(sentence)
                                          : writer.evidence_part(titled.title, number++, sentence));
    }
  }
  return examples;
}

}  // namespace memmatch::train
