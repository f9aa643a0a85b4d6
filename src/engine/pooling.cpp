#include "engine/pooling.h"

#include <algorithm>
#include <cmath>

#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

Buffer<float> block_of(std::int64_t width, Precision precision) {
  return Buffer<float>(static_cast<std::size_t>(row_blocks(precision).largest * width));
}

// Calls f(row, member) for the rows from `first` to before `last`, given the member that `first`
// belongs to; returns the member after the last row that was finished.
template <typename F>
const Member* for_rows(std::int64_t first, std::int64_t last, const Member* member, F&& f) {
  for (std::int64_t row = first; row < last; ++row) {
    if (row == member->row + member->length) ++member;
    f(row, *member);
  }
  return member;
}

bool all_finite(const float* x, std::int64_t n) {
  return std::all_of(x, x + n, [](float value) { return std::isfinite(value); });
}

// As Kernels::maximum, and says where it was found.
bool maximum_at(std::int32_t place, const float* x, float* largest, std::int32_t* places,
                std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (!(x[i] > largest[i])) continue;
    largest[i] = x[i];
    places[i] = place;
  }
  return all_finite(x, n);
}

// Every number that is not finite comes this far (see Kernels), and no further: as a part of a
// vector it would say nothing, or, under a maximum, anything.
void expect_finite(bool finite) {
  if (finite) return;
  throw Error(ErrorKind::corrupt,
              "the model's numbers overflow on one of the texts: its weights are damaged, or "
              "larger than it can calculate with");
}

}  // namespace

void pool_mean(const Group& group, const float* hidden, std::int64_t width, const Kernels& kernels,
               std::span<float> vectors) {
  for (const Member& member : group.members) {
    float* vector = vectors.data() + member.sequence * width;
    std::fill_n(vector, width, 0.0f);
    for (std::int64_t i = 0; i < member.length; ++i)
      kernels.add(hidden + (member.row + i) * width, vector, vector, width);
    const auto length = static_cast<float>(member.length);
    std::for_each(vector, vector + width, [length](float& x) { x /= length; });
    expect_finite(all_finite(vector, width));
  }
}

MemoryPooling::MemoryPooling(const MemoryConfig& config, std::int64_t hidden_size,
                             Precision precision, const Kernels& kernels)
    : kernels_(kernels),
      precision_(precision),
      word_size_(config.word_dimension),
      hidden_size_(hidden_size),
      rows_(block_of(config.word_dimension + hidden_size, precision)),
      filtered_(block_of(config.filters, precision)) {}

// Goes over the rows in blocks, whatever sequence they belong to. b + max(0, m) is calculated as
// max(b, b + m), which is the same number, as rounding keeps the order.
void MemoryPooling::pool(const PackedMemoryLevel& level, const PackedBatch& batch,
                         const Group& group, const float* hidden, Products& products, Team& team,
                         std::span<float> vectors, std::span<std::int32_t> positions) {
  const std::int64_t filters = level.filters.shape.out;
  for (const Member& member : group.members) {
    std::copy_n(level.filters.columns().bias, filters, vectors.data() + member.sequence * filters);
    if (!positions.empty()) std::fill_n(positions.data() + member.sequence * filters, filters, -1);
  }
  const Member* member = group.members.data();
  for_row_blocks(group.padded_rows, precision_, [&](std::int64_t first, std::int64_t count) {
    const std::int64_t last = std::min(first + count, group.rows);
    for_rows(first, last, member, [&](std::int64_t row, const Member& of) {
      const std::int32_t word = batch.words[of.token + static_cast<std::size_t>(row - of.row)];
      set_row(level, word, hidden + row * hidden_size_,
              rows_.data() + (row - first) * (word_size_ + hidden_size_));
    });
    products.project(level.filters, rows_.data(), count, filtered_.data(), team);
    member = for_rows(first, last, member, [&](std::int64_t row, const Member& of) {
      const float* filtered = filtered_.data() + (row - first) * filters;
      float* vector = vectors.data() + of.sequence * filters;
      expect_finite(positions.empty()
                        ? kernels_.maximum(filtered, vector, filters)
                        : maximum_at(static_cast<std::int32_t>(row - of.row), filtered, vector,
                                     positions.data() + of.sequence * filters, filters));
    });
  });
}

// [CLS] and [SEP] have word 0, whose embedding is zero.
void MemoryPooling::set_row(const PackedMemoryLevel& level, std::int32_t word, const float* hidden,
                            float* row) {
  if (word == 0) {
    std::fill_n(row, word_size_, 0.0f);
  } else {
    std::copy_n(level.embeddings.data() + word * word_size_, word_size_, row);
  }
  std::copy_n(hidden, hidden_size_, row + word_size_);
}

}  // namespace memmatch::engine
