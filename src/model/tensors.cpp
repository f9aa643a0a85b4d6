#include "model/tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/float16.h"
#include "memmatch/error.h"

static_assert(std::endian::native == std::endian::little,
              "files of weights are little-endian, and are read as they lie in memory");

namespace memmatch {
namespace {

[[noreturn]] void fail(std::string_view where, std::string_view message,
                       ErrorKind kind = ErrorKind::corrupt) {
  throw Error(kind, fmt::format("{}: {}", where, message));
}

template <typename Stored, typename Convert>
void convert_all(std::span<const std::byte> bytes, std::vector<float>& values, Convert convert) {
  const std::byte* from = bytes.data();  // need not be aligned
  for (float& value : values) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    from += sizeof stored;
    value = convert(stored);
  }
}

bool all_finite(const std::vector<float>& values) {
  constexpr std::uint32_t kExponent = 0x7F800000u;
  std::uint32_t bad = 0;  // without a branch, for the vectoriser
  for (const float value : values) {
    bad |= (std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent ? 1u : 0u;
  }
  return bad == 0;
}

std::vector<float> transpose(const std::vector<float>& columns, std::size_t rows) {
  std::vector<float> values(columns.size());
  const std::size_t width = rows == 0 ? 0 : columns.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) values[row * width + i] = columns[i * rows + row];
  }
  return values;
}

}  // namespace

std::string to_string(const std::vector<std::uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::uint64_t count_elements(const std::vector<std::uint64_t>& shape, std::uint64_t bytes_each,
                             std::string_view where) {
  std::uint64_t elements = 1;
  std::uint64_t bytes = 0;
  bool fits = true;
  for (const std::uint64_t dimension : shape)
    fits = fits && !__builtin_mul_overflow(elements, dimension, &elements);
  if (!fits || __builtin_mul_overflow(elements, bytes_each, &bytes))
    fail(where, fmt::format("shape {} is absurdly large", to_string(shape)));
  return elements;
}

void sort_by_name(std::vector<TensorInfo>& tensors, std::string_view where) {
  std::sort(tensors.begin(), tensors.end(),
            [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
  const auto twice =
      std::adjacent_find(tensors.begin(), tensors.end(),
                         [](const auto& a, const auto& b) { return a.name == b.name; });
  if (twice != tensors.end()) fail(where, fmt::format("tensor '{}' comes twice", twice->name));
}

std::vector<float> read_tensor(std::span<const std::byte> file, const TensorInfo& tensor,
                               std::string_view where) {
  const auto bytes = file.subspan(tensor.begin, tensor.end - tensor.begin);
  if (tensor.type == TensorType::other) {
    fail(where,
         fmt::format("tensor '{}' is {}; weights must be fp32, fp16 or bf16", tensor.name,
                     tensor.type_name),
         ErrorKind::unsupported);
  }
  std::vector<float> values(tensor.elements);
  if (tensor.type == TensorType::f32) {
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  } else if (tensor.type == TensorType::f16) {
    convert_all<std::uint16_t>(bytes, values, float_from_half);
  } else {
    convert_all<std::uint16_t>(bytes, values, float_from_bfloat16);
  }
  if (!all_finite(values)) {
    fail(where, fmt::format("tensor '{}' has numbers that are NaN or infinite", tensor.name));
  }
  return tensor.transposed ? transpose(values, tensor.shape.at(0)) : values;
}

const TensorInfo* TensorFile::find(std::string_view name) const {
  const auto found = std::lower_bound(
      tensors_.begin(), tensors_.end(), name,
      [](const TensorInfo& tensor, std::string_view wanted) { return tensor.name < wanted; });
  return found != tensors_.end() && found->name == name ? &*found : nullptr;
}

}  // namespace memmatch
