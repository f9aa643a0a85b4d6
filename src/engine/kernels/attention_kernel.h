#pragma once

// Attention over one sequence; one copy for each instruction set, like `vector.h`.
//
// The matrices of one head are small (head size 32 or 64, length 20 to 150) and their sizes change
// with every sequence, which is where general matrix products are slow. Here keys and values of a
// head are packed into the first-level cache once; then a few queries at a time get their scores,
// the softmax and the weighted values while everything is still in registers or in that cache.

#include "engine/kernels/functions.h"
#include "engine/kernels/kernels.h"

namespace memmatch::engine {
namespace {

// Tiles of accumulators that fit the registers together with their operands.
#if defined(__AVX512F__)
constexpr int kTileRows = 6;
constexpr int kTileVectors = 4;
#else
constexpr int kTileRows = 4;
constexpr int kTileVectors = 2;
#endif

constexpr std::int64_t round_to_lanes(std::int64_t n) { return (n + kLanes - 1) / kLanes * kLanes; }

// One head of one sequence.
struct Head {
  const float* queries;
  std::int64_t stride;  // from row to row of queries, keys and values
  std::int64_t length;
  std::int64_t size;
  std::int64_t padded_length;
  std::int64_t padded_size;
  float* keys;    // packed, transposed: [size][padded_length], zeros behind
  float* values;  // packed: [length][padded_size], zeros behind
  float* scores;  // [kTileRows][padded_length]
  float* mask;    // what scores begin with: 0, and behind the sequence -infinity
};

// out[r][c] += sum over k of a[r][k] * b[k][c], for Rows rows and Vectors vectors of columns.
template <int Rows, int Vectors>
inline void multiply_tile(const float* a, std::int64_t a_stride, const float* b,
                          std::int64_t b_stride, std::int64_t depth, Vector (&out)[Rows][Vectors]) {
  for (std::int64_t k = 0; k < depth; ++k) {
    Vector row[Vectors];
#pragma GCC unroll 8
    for (int c = 0; c < Vectors; ++c) row[c] = load(b + k * b_stride + c * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      const Vector factor = broadcast(a[r * a_stride + k]);
#pragma GCC unroll 8
      for (int c = 0; c < Vectors; ++c) out[r][c] = factor * row[c] + out[r][c];
    }
  }
}

template <int Rows, int Vectors>
inline void score_tile(const Head& head, std::int64_t first, std::int64_t column) {
  Vector tile[Rows][Vectors];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < Vectors; ++c) tile[r][c] = load(head.mask + column + c * kLanes);
  }
  multiply_tile<Rows, Vectors>(head.queries + first * head.stride, head.stride, head.keys + column,
                               head.padded_length, head.size, tile);
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < Vectors; ++c)
      store(head.scores + r * head.padded_length + column + c * kLanes, tile[r][c]);
  }
}

template <int Rows, int Vectors>
inline void value_tile(const Head& head, const float (&inverse_sums)[Rows], std::int64_t column,
                       float* context, std::int64_t context_stride) {
  Vector tile[Rows][Vectors];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < Vectors; ++c) tile[r][c] = zeros();
  }
  multiply_tile<Rows, Vectors>(head.scores, head.padded_length, head.values + column,
                               head.padded_size, head.length, tile);
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < Vectors; ++c) {
      const std::int64_t at = column + c * kLanes;
      const Vector weighted = tile[r][c] * broadcast(inverse_sums[r]);
      float* out = context + r * context_stride + at;
      if (at + kLanes <= head.size) {
        store(out, weighted);
      } else {
        store(out, weighted, Tail{static_cast<int>(head.size - at)});
      }
    }
  }
}

// Turns scores into e^(score - largest) and returns one over their sum.
inline float exponentiate(float* scores, std::int64_t padded_length) {
  Vector top = load(scores);
  for (std::int64_t i = kLanes; i < padded_length; i += kLanes) top = max(top, load(scores + i));
  const Vector highest = broadcast(largest(top));
  Vector total = zeros();
  for (std::int64_t i = 0; i < padded_length; i += kLanes) {
    const Vector e = exp(load(scores + i) - highest);
    store(scores + i, e);
    total = total + e;
  }
  return 1.0f / sum(total);
}

// Calls f.template operator()<Vectors>(column) for tiles that cover `columns` (padded) columns.
template <typename F>
inline void for_tiles(std::int64_t columns, F&& f) {
  std::int64_t column = 0;
  for (; column + kTileVectors * kLanes <= columns; column += kTileVectors * kLanes)
    f.template operator()<kTileVectors>(column);
  switch ((columns - column) / kLanes) {
    case 3:
      return f.template operator()<(kTileVectors > 3 ? 3 : 1)>(column);
    case 2:
      return f.template operator()<(kTileVectors > 2 ? 2 : 1)>(column);
    case 1:
      return f.template operator()<1>(column);
    default:
      return;
  }
}

template <int Rows>
void attend(const Head& head, std::int64_t first, float* context, std::int64_t context_stride) {
  for_tiles(head.padded_length, [&]<int Vectors>(std::int64_t column) {
    score_tile<Rows, Vectors>(head, first, column);
  });
  float inverse_sums[Rows];
  for (int r = 0; r < Rows; ++r)
    inverse_sums[r] = exponentiate(head.scores + r * head.padded_length, head.padded_length);
  for_tiles(head.padded_size, [&]<int Vectors>(std::int64_t column) {
    value_tile<Rows, Vectors>(head, inverse_sums, column, context + first * context_stride,
                              context_stride);
  });
}

void attend_rest(const Head& head, std::int64_t first, float* context, std::int64_t stride) {
  switch (head.length - first) {
    case 5:
      return attend<5>(head, first, context, stride);
    case 4:
      return attend<4>(head, first, context, stride);
    case 3:
      return attend<3>(head, first, context, stride);
    case 2:
      return attend<2>(head, first, context, stride);
    case 1:
      return attend<1>(head, first, context, stride);
    default:
      return;
  }
}

inline void pack_key_square(const Head& head, const float* keys, std::int64_t i, std::int64_t j) {
  Vector square[kLanes];
#pragma GCC unroll 16
  for (int r = 0; r < kLanes; ++r) square[r] = load(keys + (i + r) * head.stride + j);
  transpose(square);
#pragma GCC unroll 16
  for (int r = 0; r < kLanes; ++r) store(head.keys + (j + r) * head.padded_length + i, square[r]);
}

void pack_keys(const Head& head, const float* keys) {
  const std::int64_t whole_rows = head.length / kLanes * kLanes;
  const std::int64_t whole_columns = head.size / kLanes * kLanes;
  for (std::int64_t i = 0; i < whole_rows; i += kLanes)
    for (std::int64_t j = 0; j < whole_columns; j += kLanes) pack_key_square(head, keys, i, j);
  for (std::int64_t i = 0; i < head.length; ++i)
    for (std::int64_t j = i < whole_rows ? whole_columns : 0; j < head.size; ++j)
      head.keys[j * head.padded_length + i] = keys[i * head.stride + j];
  if (whole_rows == head.padded_length) return;
  for (std::int64_t j = 0; j < head.size; ++j)
    for (std::int64_t i = head.length; i < head.padded_length; ++i)
      head.keys[j * head.padded_length + i] = 0.0f;
}

void pack_values(const Head& head, const float* values) {
  for (std::int64_t i = 0; i < head.length; ++i) {
    for_vectors(head.size, [&](std::int64_t j, auto part) {
      store(head.values + i * head.padded_size + j, load(values + i * head.stride + j, part));
    });
  }
}

void attention_sequence(const float* qkv, const AttentionShape& shape, float* scratch,
                        float* context) {
  const std::int64_t hidden = shape.heads * shape.head_size;
  Head head{};
  head.stride = 3 * hidden;
  head.length = shape.length;
  head.size = shape.head_size;
  head.padded_length = round_to_lanes(shape.length);
  head.padded_size = round_to_lanes(shape.head_size);
  head.mask = scratch;
  head.scores = head.mask + head.padded_length;
  head.keys = head.scores + kTileRows * head.padded_length;
  head.values = head.keys + head.size * head.padded_length;
  for (std::int64_t i = 0; i < head.padded_length; ++i)
    head.mask[i] = i < head.length ? 0.0f : -__builtin_inff();
  const std::int64_t last = shape.last_head < 0 ? shape.heads : shape.last_head;
  for (std::int64_t h = shape.first_head; h < last; ++h) {
    head.queries = qkv + h * head.size;
    pack_keys(head, head.queries + hidden);
    pack_values(head, head.queries + 2 * hidden);
    float* out = context + h * head.size;
    std::int64_t first = 0;
    for (; first + kTileRows <= head.length; first += kTileRows)
      attend<kTileRows>(head, first, out, hidden);
    attend_rest(head, first, out, hidden);
  }
}

}  // namespace
}  // namespace memmatch::engine
