#pragma once

#include "engine/products.h"

namespace memmatch::engine {

class Fp32Products final : public Products {
 public:
  Fp32Products(const LargestLinear& largest, const Kernels& kernels, const dnnl::engine& device);

  void project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) override;
  void add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) override;
  void feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                    float* x) override;
  std::size_t workspace_bytes() const override { return intermediate_.bytes(); }

 private:
  const Kernels& kernels_;
  MatmulSet matmuls_;
  Buffer<float> intermediate_;  // a block of rows between the two layers of the feed-forward part
};

}  // namespace memmatch::engine
