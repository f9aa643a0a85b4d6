#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memmatch::engine {

// Rows (tokens) that go through the layers together: enough to use every weight often while it is
// in the cache, few enough for the hidden states to stay there too.
inline constexpr std::int64_t kRowsTogether = 256;

// A sequence on its way through the layers: where its rows begin in the workspace, and its tokens
// in the batch.
struct Member {
  std::int64_t sequence;
  std::int64_t row;
  std::size_t token;
  std::int64_t length;
};

// Sequences that go through the layers together, their rows back to back. Rows beyond those of the
// members fill up the last row block; they are calculated like the others and never looked at.
struct Group {
  std::vector<Member> members;
  std::int64_t rows = 0;
  std::int64_t padded_rows = 0;
};

}  // namespace memmatch::engine
