#pragma once

// The kernels that work on one row; one copy for each instruction set, like `vector.h`.

#include "engine/kernels/functions.h"
#include "engine/kernels/kernels.h"

namespace memmatch::engine {
namespace {

// x, or a NaN where it is infinite.
inline float finite_or_nan(float x) { return x + (x - x); }

// Finds out whether all numbers that go by are finite.
struct Finite {
  Vector sum_of_zeros = zeros();

  void add(Vector v) { sum_of_zeros = sum_of_zeros + v * zeros(); }

  // Zero if they were, and a NaN if not.
  float zero_or_nan() const { return sum(sum_of_zeros); }
};

void gelu_row(float* x, std::int64_t n) {
  for_vectors(n, [&](std::int64_t i, auto part) { store(x + i, gelu(load(x + i, part)), part); });
}

void normalize_row(float* x, const Norm& norm, std::int64_t n) {
  Vector total = zeros();
  for_vectors(n, [&](std::int64_t i, auto part) { total = total + load(x + i, part); });
  const float count = static_cast<float>(n);
  const Vector mean = broadcast(sum(total) / count);
  Vector squares = zeros();
  for_vectors(n, [&](std::int64_t i, auto part) {
    const Vector d = keep(load(x + i, part) - mean, part);
    squares = squares + d * d;
  });
  const float variance = sum(squares) / count;
  const Vector inverse = broadcast(1.0f / __builtin_sqrtf(finite_or_nan(variance + norm.epsilon)));
  for_vectors(n, [&](std::int64_t i, auto part) {
    const Vector d = (load(x + i, part) - mean) * inverse;
    store(x + i, d * load(norm.weight + i, part) + load(norm.bias + i, part), part);
  });
}

void add_rows(const float* a, const float* b, float* sum, std::int64_t n) {
  for_vectors(n, [&](std::int64_t i, auto part) {
    store(sum + i, load(a + i, part) + load(b + i, part), part);
  });
}

bool maximum_row(const float* x, float* largest, std::int64_t n) {
  Finite finite;
  for_vectors(n, [&](std::int64_t i, auto part) {
    const Vector v = load(x + i, part);
    finite.add(v);
    store(largest + i, max(v, load(largest + i, part)), part);
  });
  return finite.zero_or_nan() == 0.0f;
}

// The largest value of a row and the negated smallest, 0 being among them.
struct Range {
  Vector high = zeros();
  Vector low = zeros();
  Finite finite;  // the two above may miss a NaN

  void add(Vector v) {
    finite.add(v);
    high = max(high, v);
    low = max(low, zeros() - v);
  }
};

inline RowScale to_bytes(const float* x, const Range& range, std::uint8_t* bytes, std::int64_t n) {
  const float smallest = -largest(range.low);
  const float width = largest(range.high) - smallest;
  // What is so small that its scale would not be a normal number counts as zero.
  const float scale = width >= 255.0f * __FLT_MIN__ ? width / 255.0f : 1.0f;
  const float zero = __builtin_rintf(-smallest / scale);
  const Vector inverse = broadcast(1.0f / scale);
  for_vectors(n, [&](std::int64_t i, auto part) {
    store_bytes(bytes + i, load(x + i, part) * inverse + broadcast(zero), part);
  });
  return {scale + range.finite.zero_or_nan(), zero};
}

RowScale quantize_row(const float* x, std::uint8_t* bytes, std::int64_t n) {
  Range range;
  for_vectors(n, [&](std::int64_t i, auto part) { range.add(load(x + i, part)); });
  return to_bytes(x, range, bytes, n);
}

template <typename Part>
inline Vector dequantized(const std::int32_t* products, RowScale row, const ColumnScales& columns,
                          std::int64_t i, Part part) {
  const Vector centred =
      load(products + i, part) - broadcast(row.zero) * load(columns.sum + i, part);
  const Vector scale = broadcast(row.scale) * load(columns.scale + i, part);
  return centred * scale + load(columns.bias + i, part);
}

void dequantize_row(const std::int32_t* products, RowScale row, const ColumnScales& columns,
                    float* x, std::int64_t n) {
  for_vectors(n, [&](std::int64_t i, auto part) {
    store(x + i, dequantized(products, row, columns, i, part), part);
  });
}

RowScale dequantize_gelu_quantize_row(const std::int32_t* products, RowScale row,
                                      const ColumnScales& columns, float* x, std::uint8_t* bytes,
                                      std::int64_t n) {
  Range range;
  for_vectors(n, [&](std::int64_t i, auto part) {
    const Vector activated = keep(gelu(dequantized(products, row, columns, i, part)), part);
    store(x + i, activated, part);
    range.add(activated);
  });
  return to_bytes(x, range, bytes, n);
}

void dequantize_add_row(const std::int32_t* products, RowScale row, const ColumnScales& columns,
                        float* x, std::int64_t n) {
  for_vectors(n, [&](std::int64_t i, auto part) {
    store(x + i, load(x + i, part) + dequantized(products, row, columns, i, part), part);
  });
}

}  // namespace
}  // namespace memmatch::engine
