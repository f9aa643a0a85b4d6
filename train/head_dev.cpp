#include "train/head_dev.h"

#include <algorithm>

#include "train/step_batch.h"

namespace memmatch::train {
namespace {

constexpr std::size_t kClaimsTogether = 32;

ClaimPairs first_by_overlap(const TrainingClaim& claim, std::int64_t z) {
  const auto count = std::min(claim.by_overlap.size(), static_cast<std::size_t>(z));
  ClaimPairs pairs;
  pairs.predicted.assign(claim.by_overlap.begin(),
                         claim.by_overlap.begin() + static_cast<std::ptrdiff_t>(count));
  return pairs;
}

}  // namespace

TrainingSet load_head_dev(const Recipe& recipe, const SequenceWriter& writer,
                          const std::vector<data::Claim>& dev) {
  DataRecipe data = recipe.data;
  data.train = {recipe.data.dev};
  TrainingSet set = load_training_set(data, writer, true);
  std::vector<TrainingClaim> sample;
  for (TrainingClaim& claim : set.claims) {
    if (sample.size() < dev.size() && claim.text == dev[sample.size()].text)
      sample.push_back(std::move(claim));
  }
  set.claims = std::move(sample);
  return set;
}

double head_accuracy_on_dev(const TrainingSet& dev, const SequenceWriter& sequences,
                            WeightsInTraining& weights, std::int64_t z, int workers) {
  const StepBatchWriter writer(sequences, dev);
  const std::size_t total = dev.claims.size();
  double right = 0;
  for (std::size_t begin = 0; begin < total; begin += kClaimsTogether) {
    StepBatch batch;
    for (std::size_t i = begin; i < std::min(total, begin + kClaimsTogether); ++i)
      writer.add_head(batch, dev.claims[i], first_by_overlap(dev.claims[i], z));
    right += weights.head_accuracy(batch, workers) * static_cast<double>(batch.head.rows.size());
  }
  return right / static_cast<double>(total);
}

}  // namespace memmatch::train
