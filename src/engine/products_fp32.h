#pragma once

#include "engine/products.h"

namespace memmatch::engine {

class Fp32Products final : public Products {
 public:
  Fp32Products(const LargestLinear& largest, const Kernels& kernels);

  void project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
               Team& team) override;
  void add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
           Team& team) override;
  void feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows, float* x,
                    Team& team) override;
  std::size_t workspace_bytes() const override { return intermediate_.bytes(); }

 private:
  // y = or += W x + b for a block of rows, by columns; `after(part, n)` changes n floats of it.
  template <typename After>
  void run(const PackedLinear& linear, const float* x, std::int64_t rows, float* y, Team& team,
           After&& after);

  const Kernels& kernels_;
  Buffer<float> intermediate_;  // a block of rows between the two layers of the feed-forward part
};

}  // namespace memmatch::engine
