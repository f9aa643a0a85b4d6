#include "text/vocabulary.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>

#include "memmatch/error.h"

namespace memmatch::text {

Vocabulary::Vocabulary(std::vector<std::string> pieces)
    : pieces_(std::move(pieces)), slots_(std::bit_ceil(4 * pieces_.size() + 4), -1) {
  for (std::size_t id = 0; id < pieces_.size(); ++id) {
    const std::size_t slot = slot_of(pieces_[id]);
    if (slots_[slot] >= 0) {
      throw Error(ErrorKind::corrupt, fmt::format("vocabulary has '{}' twice, as {} and {}",
                                                  pieces_[id], slots_[slot], id));
    }
    slots_[slot] = static_cast<std::int32_t>(id);
  }
}

std::optional<std::int32_t> Vocabulary::find(std::string_view piece) const {
  const std::int32_t id = slots_[slot_of(piece)];
  return id < 0 ? std::nullopt : std::optional(id);
}

// The slot that holds `piece`, or the free one where it would go.
std::size_t Vocabulary::slot_of(std::string_view piece) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = XXH3_64bits(piece.data(), piece.size()) & mask;
  while (slots_[slot] >= 0 && pieces_[static_cast<std::size_t>(slots_[slot])] != piece) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

}  // namespace memmatch::text
