#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace memmatch::train {

// Dropout whose random numbers come from a seed alone: a step that is repeated after a restart, on
// whatever thread, drops the same elements.
class Noise {
 public:
  Noise(std::uint64_t seed, double dropout) : state_(seed), dropout_(dropout) {}

  bool silent() const { return dropout_ <= 0; }

  // [elements] of 0 or 1 / (1 - dropout).
  torch::Tensor mask(torch::IntArrayRef shape);

  torch::Tensor drop(const torch::Tensor& x) {
    return silent() ? x : x * mask(x.sizes()).to(x.device());
  }

 private:
  std::uint64_t next();

  std::uint64_t state_;
  double dropout_;
};

// A seed made of several numbers, well mixed.
std::uint64_t mix_seed(std::initializer_list<std::uint64_t> numbers);

}  // namespace memmatch::train
