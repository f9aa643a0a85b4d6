#pragma once

#include <span>

#include "engine/buffer.h"
#include "engine/group.h"
#include "engine/packed_batch.h"
#include "engine/packed_model.h"
#include "engine/products.h"

namespace memmatch::engine {

// vectors[s] = mean over the rows of sequence s. `hidden` is [rows][width]. Throws Error(corrupt)
// where a number is not finite, as MemoryPooling::pool() does.
void pool_mean(const Group& group, const float* hidden, std::int64_t width, const Kernels& kernels,
               std::span<float> vectors);

// The memory layers, for one thread: g = b + max(0, max over the rows of W [word embedding ;
// hidden]).
class MemoryPooling {
 public:
  MemoryPooling(const MemoryConfig& config, std::int64_t hidden_size, Precision precision,
                const Kernels& kernels);

  // Where `positions` is not empty, it has the vectors' shape and takes the row, counted within its
  // sequence, that gave each element; -1 for those that are the bias.
  void pool(const PackedMemoryLevel& level, const PackedBatch& batch, const Group& group,
            const float* hidden, Products& products, Team& team, std::span<float> vectors,
            std::span<std::int32_t> positions = {});

  std::size_t workspace_bytes() const { return rows_.bytes() + filtered_.bytes(); }

 private:
  void set_row(const PackedMemoryLevel& level, std::int32_t word, const float* hidden, float* row);

  const Kernels& kernels_;
  Precision precision_;
  std::int64_t word_size_;
  std::int64_t hidden_size_;
  Buffer<float> rows_;      // a block of [word embedding ; hidden]
  Buffer<float> filtered_;  // W times that, plus b
};

}  // namespace memmatch::engine
