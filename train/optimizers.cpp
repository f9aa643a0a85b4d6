#include "train/optimizers.h"

#include <algorithm>
#include <cmath>

namespace memmatch::train {
namespace {

using torch::Tensor;

bool is_decayed(const std::string& name) {
  return name.find("bias") == std::string::npos && name.find("norm") == std::string::npos;
}

// Elements that are updated together. An update is a dozen operations on tensors of the parameter's
// size: part by part these stay in the processor's cache, whole they go through memory each time.
constexpr std::int64_t kPartElements = 32768;

// Calls `visit` with the same part of each of these tensors, which have as many elements, part
// after part.
template <typename... Tensors, typename Visit>
void for_each_part(const Visit& visit, const Tensor& first, const Tensors&... others) {
  const std::int64_t elements = first.numel();
  const std::int64_t most = first.is_cpu() ? kPartElements : elements;
  for (std::int64_t begin = 0; begin < elements; begin += most) {
    const std::int64_t count = std::min(most, elements - begin);
    const auto part = [&](const Tensor& whole) { return whole.view(-1).narrow(0, begin, count); };
    visit(part(first), part(others)...);
  }
}

class Adadelta : public Optimizer {
 public:
  explicit Adadelta(std::vector<NamedParameter> parameters) : Optimizer(std::move(parameters)) {
    add_state({"square", "step"});
  }

 private:
  static constexpr double kRho = 0.9;
  static constexpr double kEpsilon = 1e-6;

  void update(std::size_t i, Tensor& gradient, double learning_rate) override {
    const auto update_part = [&](const Tensor& value, const Tensor& g, const Tensor& square,
                                 const Tensor& step) {
      square.mul_(kRho).addcmul_(g, g, 1 - kRho);
      const Tensor change = (step + kEpsilon).sqrt_().div_((square + kEpsilon).sqrt_()).mul_(g);
      step.mul_(kRho).addcmul_(change, change, 1 - kRho);
      value.add_(change, -learning_rate);
    };
    for_each_part(update_part, parameters_[i].value, gradient.contiguous(), state_of(i, 0),
                  state_of(i, 1));
  }
};

// Adam in both of its forms.
class Adam : public Optimizer {
 public:
  struct Form {
    double epsilon;
    bool bias_correction;
    double weight_decay;
    bool clips;  // each gradient to norm 1
  };

  Adam(std::vector<NamedParameter> parameters, const Form& form)
      : Optimizer(std::move(parameters)), form_(form) {
    add_state({"mean", "square", "steps"});
  }

 private:
  static constexpr double kBeta1 = 0.9;
  static constexpr double kBeta2 = 0.999;

  void update(std::size_t i, Tensor& gradient, double learning_rate) override {
    if (form_.clips) {
      const auto norm = gradient.norm().item<double>();
      if (norm > 1) gradient.mul_(1 / (norm + 1e-6));
    }
    Tensor& steps = state_of(i, 2);
    steps.view(-1)[0] += 1;
    double rate = learning_rate;
    double scale = 1;
    if (form_.bias_correction) {
      const auto t = steps.view(-1)[0].item<double>();
      rate /= 1 - std::pow(kBeta1, t);
      scale = 1 / std::sqrt(1 - std::pow(kBeta2, t));
    }
    const bool decays = form_.weight_decay > 0 && is_decayed(parameters_[i].name);
    const auto update_part = [&](const Tensor& value, const Tensor& g, const Tensor& mean,
                                 const Tensor& square) {
      mean.mul_(kBeta1).add_(g, 1 - kBeta1);
      square.mul_(kBeta2).addcmul_(g, g, 1 - kBeta2);
      const Tensor root = square.sqrt().mul_(scale).add_(form_.epsilon);
      if (decays) value.mul_(1 - learning_rate * form_.weight_decay);
      value.addcdiv_(mean, root, -rate);
    };
    for_each_part(update_part, parameters_[i].value, gradient.contiguous(), state_of(i, 0),
                  state_of(i, 1));
  }

  Form form_;
};

}  // namespace

Optimizer::Optimizer(std::vector<NamedParameter> parameters) : parameters_(std::move(parameters)) {}

void Optimizer::add_state(const std::vector<std::string>& names) {
  states_each_ = names.size();
  for (const NamedParameter& parameter : parameters_) {
    for (const std::string& name : names) {
      // A count is one number; all else has the parameter's shape.
      state_.emplace_back(parameter.name + "." + name,
                          name == "steps" ? torch::zeros({1}) : torch::zeros_like(parameter.value));
    }
  }
}

void Optimizer::step(std::vector<Tensor>& gradients, double learning_rate) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (gradients[i].defined()) update(i, gradients[i], learning_rate);
}

std::unique_ptr<Optimizer> make_adadelta(std::vector<NamedParameter> parameters) {
  return std::make_unique<Adadelta>(std::move(parameters));
}

std::unique_ptr<Optimizer> make_adam(std::vector<NamedParameter> parameters) {
  return std::make_unique<Adam>(std::move(parameters), Adam::Form{1e-8, true, 0, false});
}

std::unique_ptr<Optimizer> make_bert_adam(std::vector<NamedParameter> parameters,
                                          double weight_decay) {
  return std::make_unique<Adam>(std::move(parameters), Adam::Form{1e-6, false, weight_decay, true});
}

double clip_norm(std::vector<Tensor>& gradients, double limit) {
  double squares = 0;
  for (const Tensor& gradient : gradients) {
    if (!gradient.defined()) continue;
    const auto norm = gradient.norm().item<double>();
    squares += norm * norm;
  }
  const double norm = std::sqrt(squares);
  if (norm > limit) {
    for (Tensor& gradient : gradients)
      if (gradient.defined()) gradient.mul_(limit / (norm + 1e-6));
  }
  return norm;
}

double linear_schedule(std::int64_t step, std::int64_t total, double warm_up) {
  if (total <= 0) return 1;
  const double x = static_cast<double>(step) / static_cast<double>(total);
  if (x < warm_up) return x / warm_up;
  return std::max(0.0, (1 - x) / (1 - warm_up));
}

}  // namespace memmatch::train
