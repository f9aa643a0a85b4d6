#include "train/weights_in_training.h"

#include <fmt/format.h>

namespace memmatch::train {
namespace {

bool begins_with(const std::string& name, std::string_view prefix) {
  return name.compare(0, prefix.size(), prefix) == 0;
}

bool is_encoder(const std::string& name) { return begins_with(name, "encoder."); }

bool is_frozen(const std::string& name, const Recipe& recipe, const StageRecipe& stage) {
  if (recipe.encoder.freeze_embeddings && !begins_with(name, "encoder.layer")) return true;
  for (std::int64_t i = 0; i < stage.freeze_layers; ++i)
    if (begins_with(name, fmt::format("encoder.layer{}.", i))) return true;
  return false;
}

}  // namespace

WeightsInTraining::WeightsInTraining(const ModelWeights& weights, torch::Device device)
    : device_(device), twin_(weights), head_(weights.encoder.config.hidden) {
  twin_->to(device_);
  head_->to(device_);
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& parameter : head_->parameters()) parameter.zero_();
}

void WeightsInTraining::set(const ModelWeights& weights) {
  twin_ = Twin(weights);
  twin_->to(device_);
}

void WeightsInTraining::make_optimizers(const Recipe& recipe, const StageRecipe& stage) {
  std::vector<NamedParameter> memory, encoder, head;
  for (const auto& item : twin_->named_parameters()) {
    if (!is_encoder(item.key())) {
      memory.push_back({item.key(), item.value()});
    } else if (!is_frozen(item.key(), recipe, stage)) {
      encoder.push_back({item.key(), item.value()});
    }
  }
  for (const auto& item : head_->named_parameters())
    head.push_back({"head." + item.key(), item.value()});
  memory_.optimizer = recipe.memory.optimizer == "adam" ? make_adam(std::move(memory))
                                                        : make_adadelta(std::move(memory));
  encoder_.optimizer = make_bert_adam(std::move(encoder), recipe.encoder.weight_decay);
  head_group_.optimizer = make_adam(std::move(head));
}

void WeightsInTraining::set_trained(const Trained& trained) {
  memory_.active = trained.memory;
  encoder_.active = head_group_.active = trained.encoder;
  for (torch::Tensor& parameter : twin_->parameters()) parameter.requires_grad_(false);
  for (torch::Tensor& parameter : head_->parameters()) parameter.requires_grad_(false);
  for (torch::Tensor& parameter : active_parameters()) parameter.requires_grad_(true);
}

std::vector<torch::Tensor> WeightsInTraining::active_parameters() const {
  std::vector<torch::Tensor> parameters;
  for (const Group* group : {&memory_, &encoder_, &head_group_}) {
    if (!group->active) continue;
    for (const NamedParameter& parameter : group->optimizer->parameters())
      parameters.push_back(parameter.value);
  }
  return parameters;
}

StepResult WeightsInTraining::compute(const StepBatch& batch, const StepOptions& options) {
  return compute_step(twin_, head_, batch, active_parameters(), options);
}

void WeightsInTraining::update(std::vector<torch::Tensor>& gradients, const Rates& rates,
                               double memory_clip_norm) {
  std::size_t next = 0;
  const auto step = [&](Group& group, double rate, double clip) {
    if (!group.active) return;
    const std::size_t count = group.optimizer->parameters().size();
    std::vector<torch::Tensor> some(gradients.begin() + static_cast<std::ptrdiff_t>(next),
                                    gradients.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
    if (clip > 0) clip_norm(some, clip);
    group.optimizer->step(some, rate);
  };
  step(memory_, rates.memory, memory_clip_norm);
  step(encoder_, rates.encoder, 0);
  step(head_group_, rates.head, 0);
}

double WeightsInTraining::head_accuracy(const StepBatch& batch, int workers) {
  StepOptions options;
  options.workers = workers;
  const torch::NoGradGuard no_grad;
  return compute_step(twin_, head_, batch, {}, options).head_accuracy;
}

double WeightsInTraining::loss(const StepBatch& batch, int workers) {
  StepOptions options;
  options.workers = workers;
  const torch::NoGradGuard no_grad;
  return compute_step(twin_, head_, batch, {}, options).loss;
}

NamedState WeightsInTraining::training_state() const {
  NamedState state;
  for (const auto& item : head_->named_parameters())
    state.emplace_back("head." + item.key(), item.value().detach());
  const auto add = [&](const char* group, const Optimizer& optimizer) {
    for (const auto& [name, tensor] : optimizer.state())
      state.emplace_back(fmt::format("{}.{}", group, name), tensor);
  };
  add("memory_optimizer", *memory_.optimizer);
  add("encoder_optimizer", *encoder_.optimizer);
  add("head_optimizer", *head_group_.optimizer);
  return state;
}

}  // namespace memmatch::train
