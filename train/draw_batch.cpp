#include "train/draw_batch.h"

#include <cmath>

#include "model/initialize.h"
#include "train/noise.h"

namespace memmatch::train {
namespace {

// Pieces of a text whose embedding is kept: claims are shorter.
constexpr std::int64_t kLongestText = 64;

}  // namespace

std::size_t examples_beside(const StageRecipe& stage, std::size_t claims) {
  const double wanted = static_cast<double>(claims) * stage.pairs_share / (1 - stage.pairs_share);
  return static_cast<std::size_t>(std::llround(wanted));
}

std::vector<bool> draw_withheld(const StageRecipe& stage, std::uint64_t seed, std::int64_t step,
                                std::size_t claims) {
  Random random(mix_seed({seed, 0x717e1du, static_cast<std::uint64_t>(step)}));
  std::vector<bool> withheld(claims);
  for (std::size_t i = 0; i < claims; ++i) withheld[i] = random.uniform() < stage.withheld_share;
  return withheld;
}

StepBatch draw_batch(const TrainingSet& set, const std::vector<PairSource>& sources,
                     const SequenceWriter& sequences, const Recipe& recipe,
                     const StageRecipe& stage, std::int64_t step,
                     std::span<const std::size_t> claims, std::span<const Beam> beams) {
  const StepBatchWriter writer(sequences, set);
  const bool warm_up = stage.kind == "warmup";
  StepBatch batch;
  batch.levels[0].ranked = stage.level1_loss == "ranking";
  const auto add = [&](const TrainingClaim& claim, const Beam& beam) {
    const ClaimPairs pairs = make_pairs(claim, beam, recipe.pairs, stage);
    if (warm_up) {
      writer.add_head(batch, claim, pairs);
    } else {
      writer.add_claim(batch, claim, pairs, recipe.pairs.head_weight > 0);
    }
  };
  const auto keep_embedding = [&](const std::string& text) {
    if (!recipe.embedding.like.empty())
      batch.embedding.sequences.add(sequences.plain(text, kLongestText));
  };
  std::vector<const TrainingClaim*> with_evidence;
  const std::vector<bool> withheld = draw_withheld(stage, recipe.seed, step, claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const TrainingClaim& claim = set.claims[claims[i]];
    keep_embedding(claim.text);
    if (withheld[i] && claim.verifiable()) {
      const Withheld without = withhold_evidence(claim, beams[i]);
      add(without.claim, without.beam);
    } else {
      add(claim, beams[i]);
      with_evidence.push_back(&claim);
    }
  }
  if (!warm_up && trains_level(stage, 1))
    writer.add_in_batch_negatives(batch, with_evidence, recipe.pairs.in_batch_negatives);
  const std::uint64_t seed = mix_seed({recipe.seed, 0x9a125u, static_cast<std::uint64_t>(step)});
  for (const PairExample& example : draw_examples(sources, sequences, recipe.pairs.title_noise,
                                                  seed, examples_beside(stage, claims.size()))) {
    keep_embedding(example.claim);
    if (warm_up) {
      writer.add_head(batch, example);
    } else {
      writer.add_level3(batch, example);
    }
  }
  return batch;
}

}  // namespace memmatch::train
