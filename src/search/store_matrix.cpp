#include "search/store_matrix.h"

namespace memmatch::search {

std::uint64_t StoreMatrix::refresh(Datastore& store, const VectorSet& set, std::uint64_t limit) {
  const std::int64_t version = store.change_counter();
  if (version == version_) return bytes_;
  version_ = -1;  // should reading fail, it is tried again
  const auto dimension = static_cast<std::size_t>(set.dimension);
  const std::uint64_t row_bytes = HalfMatrix::row_bytes(dimension);
  std::uint64_t rows = store.most_vectors(set);
  if (rows > limit / row_bytes) rows = store.count_vectors(set);
  if (rows > limit / row_bytes) {
    matrix_ = {};
    bytes_ = rows * row_bytes;
  } else {
    matrix_.clear(dimension, rows);
    store.for_each_vector(set, [&](SentenceId id, std::span<const std::uint16_t> vector) {
      matrix_.add(id, vector);
    });
    bytes_ = matrix_.rows() * row_bytes;
  }
  version_ = version;
  return bytes_;
}

}  // namespace memmatch::search
