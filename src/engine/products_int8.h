#pragma once

#include "engine/products.h"

namespace memmatch::engine {

// Every row is quantised with a scale and a zero point of its own before a product, and the product
// is made into floats again by what follows it, so that no pass over memory is added.
class Int8Products final : public Products {
 public:
  Int8Products(const LargestLinear& largest, const Kernels& kernels);

  void project(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
               Team& team) override;
  void add(const PackedLinear& linear, const float* x, std::int64_t rows, float* y,
           Team& team) override;
  void feed_forward(const PackedLinear& up, const PackedLinear& down, std::int64_t rows, float* x,
                    Team& team) override;
  std::size_t workspace_bytes() const override;

 private:
  // bytes_ = a block of rows of floats, with their scales.
  void quantize(const float* x, std::int64_t rows, std::int64_t width, Team& team);
  // Multiplies bytes_ and calls f(row, products, first column, columns) for parts of the rows.
  template <typename F>
  void multiply(const PackedLinear& linear, std::int64_t rows, Team& team, F&& f);
  // y += W bytes_ + b
  void multiply_add(const PackedLinear& linear, std::int64_t rows, float* y, Team& team);
  // bytes_ = gelu(products_ + b_up), with new scales.
  void activate(const PackedLinear& up, std::int64_t rows, Team& team);

  const Kernels& kernels_;
  Buffer<std::uint8_t> bytes_;     // a block of quantised rows
  Buffer<RowScale> scales_;        // of those rows
  Buffer<std::int32_t> products_;  // a block of results
};

}  // namespace memmatch::engine
