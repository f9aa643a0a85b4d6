#pragma once

#include "engine/products.h"

namespace memmatch::engine {

// Every row is quantised with a scale and a zero point of its own before a product, and the product
// is made into floats again by what follows it, so that no pass over memory is added.
class Int8Products final : public Products {
 public:
  Int8Products(const LargestLinear& largest, const Kernels& kernels, const dnnl::engine& device);

  void project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) override;
  void add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y) override;
  void feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows,
                    float* x) override;
  std::size_t workspace_bytes() const override;

 private:
  // products_ = W x for a block of rows of floats.
  void multiply(const PackedLinear& linear, const float* x, std::int64_t rows);
  // y += products_ + b
  void add_products(const PackedLinear& linear, std::int64_t rows, float* y);
  // bytes_ = gelu(products_ + b_up), with new scales.
  void activate(const PackedLinear& up, std::int64_t rows);

  const Kernels& kernels_;
  MatmulSet matmuls_;
  Buffer<std::uint8_t> bytes_;     // a block of quantised rows
  Buffer<RowScale> scales_;        // of those rows
  Buffer<std::int32_t> products_;  // a block of results
  Buffer<float> row_;              // one row between two products
};

}  // namespace memmatch::engine
