#include "engine/packed_batch.h"

namespace memmatch::engine {

void PackedBatch::add(std::span<const std::int32_t> sequence_tokens,
                      std::span<const std::int32_t> sequence_words) {
  tokens.insert(tokens.end(), sequence_tokens.begin(), sequence_tokens.end());
  words.insert(words.end(), sequence_words.begin(), sequence_words.end());
  offsets.push_back(static_cast<std::int64_t>(tokens.size()));
}

void PackedBatch::clear() {
  tokens.clear();
  words.clear();
  offsets.resize(1);
}

}  // namespace memmatch::engine
