#pragma once

#include <cstdint>

// The inner loops that oneDNN does not have or cannot fuse. Each is written once, in
// `row_kernels.h` or `attention_kernel.h`, and compiled for several instruction sets; `kernels()`
// picks a table at run time. All work on single rows or single sequences, so that no result depends
// on what else is in a batch.
//
// A number that is not finite is never lost on the way: of a row that has one, or whose sums
// overflow, something that is not finite comes out.

namespace memmatch::engine {

// How a row of floats is kept in unsigned bytes: x = scale * (byte - zero).
struct RowScale {
  float scale;
  float zero;
};

// How the columns of an int8 matrix product become floats again.
struct ColumnScales {
  const float* scale;  // of the weights of each column
  const float* sum;    // of the weights of each column, which `zero` is multiplied with
  const float* bias;
};

struct Norm {
  const float* weight;
  const float* bias;
  float epsilon;
};

// Queries, keys and values of one sequence, side by side in each row:
// [length][3][heads][head_size].
struct AttentionShape {
  std::int64_t length;
  std::int64_t heads;
  std::int64_t head_size;
  // Only the heads from here to before there; the default is all.
  std::int64_t first_head = 0;
  std::int64_t last_head = -1;
};

struct Kernels {
  // x = gelu(x), with the error function, to within 1e-6.
  void (*gelu)(float* x, std::int64_t n);

  // x = (x - mean) / sqrt(variance + epsilon) * weight + bias
  void (*normalize)(float* x, const Norm& norm, std::int64_t n);

  // sum = a + b
  void (*add)(const float* a, const float* b, float* sum, std::int64_t n);

  // largest = max(largest, x). False where something in x is not finite: a maximum hides it.
  bool (*maximum)(const float* x, float* largest, std::int64_t n);

  // Bytes for x, from its smallest to its largest value; 0 is represented exactly.
  RowScale (*quantize)(const float* x, std::uint8_t* bytes, std::int64_t n);

  // x = dequantised products + bias
  void (*dequantize)(const std::int32_t* products, RowScale row, const ColumnScales& columns,
                     float* x, std::int64_t n);

  // Bytes for gelu(dequantised products + bias), which are left in x.
  RowScale (*dequantize_gelu_quantize)(const std::int32_t* products, RowScale row,
                                       const ColumnScales& columns, float* x, std::uint8_t* bytes,
                                       std::int64_t n);

  // x += dequantised products + bias
  void (*dequantize_add)(const std::int32_t* products, RowScale row, const ColumnScales& columns,
                         float* x, std::int64_t n);

  // context = softmax(queries keys^T) values, heads side by side in each row. Queries come already
  // scaled by 1/sqrt(head_size). `scratch` has attention_scratch() floats.
  void (*attention)(const float* qkv, const AttentionShape& shape, float* scratch, float* context);
};

std::int64_t attention_scratch(const AttentionShape& longest);

enum class Isa { generic, avx2, avx512 };

// The best that oneDNN may use on this machine. ONEDNN_MAX_CPU_ISA and dnnl::set_max_cpu_isa
// therefore limit our kernels as well.
Isa best_isa();

const Kernels& kernels(Isa isa);

}  // namespace memmatch::engine
