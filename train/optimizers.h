#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// The optimisers of the paper, written out since LibTorch has no Adadelta and BertAdam is not quite
// AdamW (reference §5.6).

namespace memmatch::train {

struct NamedParameter {
  std::string name;
  torch::Tensor value;
};

// A tensor of an optimiser's state, to be saved and restored; they share their memory with it.
using NamedState = std::vector<std::pair<std::string, torch::Tensor>>;

class Optimizer {
 public:
  explicit Optimizer(std::vector<NamedParameter> parameters);
  virtual ~Optimizer() = default;

  // One update. `gradients` are in the order of the parameters; an undefined one leaves its
  // parameter as it is. They may be changed.
  void step(std::vector<torch::Tensor>& gradients, double learning_rate);

  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  const NamedState& state() const { return state_; }

 protected:
  // The state tensors of a parameter, all zero at first, in the order of `names`.
  void add_state(const std::vector<std::string>& names);
  virtual void update(std::size_t parameter, torch::Tensor& gradient, double learning_rate) = 0;
  torch::Tensor& state_of(std::size_t parameter, std::size_t which) {
    return state_[parameter * states_each_ + which].second;
  }

  std::vector<NamedParameter> parameters_;

 private:
  NamedState state_;
  std::size_t states_each_ = 0;
};

// ρ 0.9, ε 1e-6: what the paper trains the memory layers with, at a learning rate of 1.
std::unique_ptr<Optimizer> make_adadelta(std::vector<NamedParameter> parameters);

// Adam with bias correction: β 0.9 and 0.999, ε 1e-8.
std::unique_ptr<Optimizer> make_adam(std::vector<NamedParameter> parameters);

// Adam without bias correction and with decoupled weight decay (none for biases and layer norms):
// β 0.9 and 0.999, ε 1e-6; each parameter's gradient is clipped to norm 1 by itself.
std::unique_ptr<Optimizer> make_bert_adam(std::vector<NamedParameter> parameters,
                                          double weight_decay);

// Scales all gradients together so that their norm is at most `limit`. Gives the norm before.
double clip_norm(std::vector<torch::Tensor>& gradients, double limit);

// The factor of the learning rate at a step from 0: up from 0 to 1 over the first `warm_up` part of
// `total`, then down to 0.
double linear_schedule(std::int64_t step, std::int64_t total, double warm_up);

}  // namespace memmatch::train
