#include "search/store_matrix.h"

namespace memmatch::search {

void StoreMatrix::refresh(Datastore& store, const VectorSet& set) {
  const std::int64_t version = store.change_counter();
  if (version == version_) return;
  matrix_.clear(static_cast<std::size_t>(set.dimension));
  store.for_each_vector(
      set, [&](SentenceId id, std::span<const std::uint16_t> vector) { matrix_.add(id, vector); });
  version_ = version;
}

}  // namespace memmatch::search
