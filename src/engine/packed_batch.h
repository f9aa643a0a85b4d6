#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace memmatch::engine {

// Sequences back to back, without padding. Sequence i is elements [offsets[i], offsets[i + 1]) of
// `tokens` and `words`.
struct PackedBatch {
  std::vector<std::int32_t> tokens;         // ids for the encoder, with [CLS] first and [SEP] last
  std::vector<std::int32_t> words;          // ids for the memory layer; 0 for [CLS] and [SEP]
  std::vector<std::int64_t> offsets = {0};  // one more than there are sequences

  std::int64_t sequences() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t length(std::int64_t sequence) const {
    const auto i = static_cast<std::size_t>(sequence);
    return offsets[i + 1] - offsets[i];
  }

  // `sequence_words` may be left out (for all sequences) where no memory layer is asked for.
  void add(std::span<const std::int32_t> sequence_tokens,
           std::span<const std::int32_t> sequence_words = {});
  void clear();
};

}  // namespace memmatch::engine
