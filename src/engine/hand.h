#pragma once

#include "engine/buffer.h"
#include "engine/matmul_set.h"

namespace memmatch::engine {

// What a thread needs of its own to do a part of the work at a group, whoever leads it.
struct Hand {
  MatmulSet matmuls;
  Buffer<float> attention;    // scratch of the attention kernel
  Buffer<float> row;          // of the widest layer
  Buffer<std::int32_t> part;  // int8: some columns of a product
  Buffer<float> float_part;   // fp32: the same

  std::size_t bytes() const {
    return attention.bytes() + row.bytes() + part.bytes() + float_part.bytes();
  }
};

}  // namespace memmatch::engine
