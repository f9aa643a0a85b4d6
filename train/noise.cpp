#include "train/noise.h"

#include <cmath>

namespace memmatch::train {
namespace {

// The output function of SplitMix64.
std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

}  // namespace

std::uint64_t Noise::next() { return scramble(state_ += kGolden); }

torch::Tensor Noise::mask(torch::IntArrayRef shape) {
  torch::Tensor mask = torch::empty(shape);
  auto* out = mask.data_ptr<float>();
  const std::int64_t elements = mask.numel();
  // Four elements of each 64 bits.
  const auto threshold = static_cast<std::uint64_t>(std::lround(dropout_ * 65536));
  const auto kept = static_cast<float>(1 / (1 - static_cast<double>(threshold) / 65536));
  for (std::int64_t i = 0; i < elements; i += 4) {
    const std::uint64_t bits = next();
    const std::int64_t end = std::min<std::int64_t>(4, elements - i);
    for (std::int64_t j = 0; j < end; ++j)
      out[i + j] = ((bits >> (16 * j)) & 0xffff) < threshold ? 0.0f : kept;
  }
  return mask;
}

std::uint64_t mix_seed(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t seed = kGolden;
  for (const std::uint64_t number : numbers) seed = scramble(seed + kGolden) ^ scramble(number + 1);
  return seed;
}

}  // namespace memmatch::train
