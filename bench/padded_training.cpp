#include "padded_training.h"

#include <algorithm>

namespace memmatch::bench {
namespace {

using train::LevelBatch;
using train::NamedParameter;
using train::Pair;

constexpr double kWeightDecay = 0.01;

bool is_encoder(const NamedParameter& parameter) { return parameter.name.starts_with("encoder."); }

// The level's pairs with nothing shared between them.
struct Stacked {
  engine::PackedBatch sequences;
  std::vector<Pair> pairs;
};

Stacked stack(const LevelBatch& level) {
  Stacked stacked;
  const std::vector<Sequence>& sequences = level.sequences.sequences();
  const auto count = static_cast<std::int64_t>(level.pairs.size());
  const auto add = [&](std::int64_t row) {
    const Sequence& sequence = sequences[static_cast<std::size_t>(row)];
    stacked.sequences.add(sequence.tokens, sequence.words);
  };
  for (const Pair& pair : level.pairs) add(pair.query);
  for (const Pair& pair : level.pairs) add(pair.support);
  for (std::int64_t i = 0; i < count; ++i)
    stacked.pairs.push_back({i, count + i, level.pairs[static_cast<std::size_t>(i)].match});
  return stacked;
}

void step(train::Optimizer& optimizer, double rate) {
  std::vector<torch::Tensor> gradients;
  for (const NamedParameter& parameter : optimizer.parameters())
    gradients.push_back(parameter.value.grad());
  optimizer.step(gradients, rate);
}

}  // namespace

PaddedTraining::PaddedTraining(const ModelWeights& weights) : twin_(weights), bert_(twin_) {
  std::vector<NamedParameter> memory, encoder;
  for (const auto& item : twin_->named_parameters()) {
    const NamedParameter parameter{item.key(), item.value()};
    (is_encoder(parameter) ? encoder : memory).push_back(parameter);
  }
  memory_ = train::make_adadelta(std::move(memory));
  encoder_ = train::make_bert_adam(std::move(encoder), kWeightDecay);
}

double PaddedTraining::compute(const train::StepBatch& batch, double dropout) {
  bert_.set_dropout(dropout);
  const auto present = std::count_if(batch.levels.begin(), batch.levels.end(),
                                     [](const LevelBatch& level) { return !level.pairs.empty(); });
  double sum = 0;
  for (std::size_t i = 0; i < batch.levels.size(); ++i) {
    if (batch.levels[i].pairs.empty()) continue;
    const Stacked stacked = stack(batch.levels[i]);
    const torch::Tensor vectors =
        bert_.encode(stacked.sequences, 0, stacked.sequences.sequences(),
                     twin_->memory_config->lengths[i] + 2, static_cast<int>(i) + 1);
    const torch::Tensor loss =
        train::matching_loss(vectors, stacked.pairs) / static_cast<double>(present);
    loss.backward();
    sum += loss.item<double>();
  }
  return sum;
}

void PaddedTraining::update(const train::Trained& trained, double memory_rate,
                            double encoder_rate) {
  if (trained.memory) step(*memory_, memory_rate);
  if (trained.encoder) step(*encoder_, encoder_rate);
  for (torch::Tensor& parameter : twin_->parameters()) parameter.mutable_grad().reset();
}

std::vector<NamedParameter> PaddedTraining::gradients() const {
  std::vector<NamedParameter> gradients;
  for (const auto& item : twin_->named_parameters())
    gradients.push_back({item.key(), item.value().grad()});
  return gradients;
}

}  // namespace memmatch::bench
