#include "model/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/float16.h"
#include "base/json.h"
#include "memmatch/error.h"

static_assert(std::endian::native == std::endian::little,
              "safetensors files are little-endian, and are read as they lie in memory");

namespace memmatch {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the limit of Hugging Face's own reader

struct TypeInfo {
  std::string_view name;
  TensorType type;
  std::uint64_t bytes;
};

constexpr TypeInfo kTypes[] = {
    {"F32", TensorType::f32, 4},       {"F16", TensorType::f16, 2},
    {"BF16", TensorType::bf16, 2},     {"F64", TensorType::other, 8},
    {"I64", TensorType::other, 8},     {"U64", TensorType::other, 8},
    {"I32", TensorType::other, 4},     {"U32", TensorType::other, 4},
    {"I16", TensorType::other, 2},     {"U16", TensorType::other, 2},
    {"I8", TensorType::other, 1},      {"U8", TensorType::other, 1},
    {"BOOL", TensorType::other, 1},    {"F8_E4M3", TensorType::other, 1},
    {"F8_E5M2", TensorType::other, 1},
};

[[noreturn]] void fail(std::string_view where, std::string_view message,
                       ErrorKind kind = ErrorKind::corrupt) {
  throw Error(kind, fmt::format("{}: {}", where, message));
}

// Nothing where the product does not fit.
std::optional<std::uint64_t> multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::uint64_t as_size(JsonElement value, std::string_view where, std::string_view what) {
  std::uint64_t number = 0;
  if (value.get(number) != simdjson::SUCCESS) {
    fail(where, fmt::format("'{}' must hold whole numbers from 0", what));
  }
  return number;
}

// One entry of the header: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}.
class EntryReader {
 public:
  EntryReader(JsonElement entry, std::string_view name, std::string_view file)
      : where_(fmt::format("{}: tensor '{}'", file, name)) {
    tensor_.name = name;
    simdjson::dom::object object;
    if (entry.get(object) != simdjson::SUCCESS) fail(where_, "its entry must be an object");
    const std::size_t known =
        count(object, "dtype") + count(object, "shape") + count(object, "data_offsets");
    if (known != 3) fail(where_, "'dtype', 'shape' or 'data_offsets' comes twice");
    const JsonObject fields(object, where_);
    read_type(fields);
    read_shape(fields);
    read_place(fields);
  }

  TensorInfo tensor() { return std::move(tensor_); }

 private:
  std::size_t count(simdjson::dom::object object, std::string_view field) const {
    std::size_t found = 0;
    for (const auto& [key, value] : object) found += key == field;
    if (found == 0) fail(where_, fmt::format("field '{}' is missing", field));
    return found;
  }

  void read_type(const JsonObject& fields) {
    tensor_.type_name = fields.string("dtype");
    const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                    [&](const TypeInfo& t) { return t.name == tensor_.type_name; });
    if (type == std::end(kTypes)) {
      fail(where_, fmt::format("type '{}' is not known", tensor_.type_name),
           ErrorKind::unsupported);
    }
    tensor_.type = type->type;
    bytes_each_ = type->bytes;
  }

  void read_shape(const JsonObject& fields) {
    std::optional<std::uint64_t> elements = 1;
    for (const JsonElement dimension : fields.array("shape")) {
      tensor_.shape.push_back(as_size(dimension, where_, "shape"));
      if (elements) elements = multiply(*elements, tensor_.shape.back());
    }
    const auto bytes = elements ? multiply(*elements, bytes_each_) : std::nullopt;
    if (!bytes) fail(where_, fmt::format("shape {} is absurdly large", to_string(tensor_.shape)));
    bytes_ = *bytes;
    tensor_.elements = *elements;
  }

  void read_place(const JsonObject& fields) {
    const JsonArray offsets = fields.array("data_offsets");
    if (offsets.size() != 2) fail(where_, "'data_offsets' must be [begin, end]");
    tensor_.begin = as_size(offsets.at(0).value(), where_, "data_offsets");
    tensor_.end = as_size(offsets.at(1).value(), where_, "data_offsets");
    if (tensor_.end < tensor_.begin) {
      fail(where_, fmt::format("'data_offsets' end at {}, before they begin at {}", tensor_.end,
                               tensor_.begin));
    }
    if (tensor_.end - tensor_.begin != bytes_) {
      fail(where_, fmt::format("shape {} of {} takes {} bytes, but 'data_offsets' give it {}",
                               to_string(tensor_.shape), tensor_.type_name, bytes_,
                               tensor_.end - tensor_.begin));
    }
  }

  std::string where_;
  TensorInfo tensor_;
  std::uint64_t bytes_each_ = 0;
  std::uint64_t bytes_ = 0;
};

std::map<std::string, std::string> read_metadata(JsonElement value, std::string_view where) {
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) fail(where, "'__metadata__' must be an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, text] : object) {
    metadata.emplace(key, as_string(text, where, fmt::format("__metadata__.{}", key)));
  }
  return metadata;
}

std::string header_text(std::span<const std::byte> file, std::string_view where) {
  if (file.size() < kLengthBytes) {
    fail(where, fmt::format("not a safetensors file: it has only {} bytes", file.size()));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > kLongestHeader) {
    fail(where, fmt::format("not a safetensors file: its header would have {} bytes", length));
  }
  if (length > file.size() - kLengthBytes) {
    fail(where, fmt::format("truncated: the header should have {} bytes, the file has {}", length,
                            file.size()));
  }
  const auto header = file.subspan(kLengthBytes, length);
  std::string text(reinterpret_cast<const char*>(header.data()), header.size());
  if (!text.starts_with('{'))
    fail(where, "not a safetensors file: its header does not start with {");
  return text;
}

void check_names(const std::vector<TensorInfo>& sorted, std::string_view where) {
  const auto twice = std::adjacent_find(
      sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.name == b.name; });
  if (twice != sorted.end()) fail(where, fmt::format("tensor '{}' comes twice", twice->name));
}

// That the tensors lie back to back and fill the data.
void check_places(const std::vector<TensorInfo>& tensors, std::uint64_t data_bytes,
                  std::string_view where) {
  std::vector<const TensorInfo*> by_place;
  for (const TensorInfo& tensor : tensors) by_place.push_back(&tensor);
  std::sort(by_place.begin(), by_place.end(), [](const auto* a, const auto* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t end = 0;
  for (const TensorInfo* tensor : by_place) {
    if (tensor->begin < end) {
      fail(where, fmt::format("tensor '{}' overlaps the one before it", tensor->name));
    }
    if (tensor->begin > end) {
      fail(where,
           fmt::format("a hole of {} bytes before tensor '{}'", tensor->begin - end, tensor->name));
    }
    if (tensor->end > data_bytes) {
      fail(where, fmt::format("truncated: tensor '{}' ends at byte {} of the data, which has {}",
                              tensor->name, tensor->end, data_bytes));
    }
    end = tensor->end;
  }
  if (end != data_bytes) {
    fail(where, fmt::format("{} bytes after the last tensor", data_bytes - end));
  }
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

}  // namespace

std::string to_string(const std::vector<std::uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

SafetensorsHeader parse_safetensors(std::span<const std::byte> file, std::string_view where) {
  std::string text = header_text(file, where);
  const std::uint64_t data_begin = kLengthBytes + text.size();
  JsonParser parser;
  SafetensorsHeader header;
  bool has_metadata = false;
  for (const auto& [name, entry] : parser.parse_object(text, fmt::format("{}: header", where))) {
    if (name == "__metadata__") {
      if (std::exchange(has_metadata, true)) fail(where, "'__metadata__' comes twice");
      header.metadata = read_metadata(entry, where);
    } else {
      header.tensors.push_back(EntryReader(entry, name, where).tensor());
    }
  }
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
  check_names(header.tensors, where);
  check_places(header.tensors, file.size() - data_begin, where);
  for (TensorInfo& tensor : header.tensors) {
    tensor.begin += data_begin;
    tensor.end += data_begin;
  }
  return header;
}

std::vector<float> read_tensor(std::span<const std::byte> file, const TensorInfo& tensor,
                               std::string_view where) {
  const auto bytes = file.subspan(tensor.begin, tensor.end - tensor.begin);
  std::vector<float> values(tensor.elements);
  switch (tensor.type) {
    case TensorType::f32:
      if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
      break;
    case TensorType::f16:
      convert_all<std::uint16_t>(bytes, values, float_from_half);
      break;
    case TensorType::bf16:
      convert_all<std::uint16_t>(bytes, values, float_from_bfloat16);
      break;
    case TensorType::other:
      fail(where,
           fmt::format("tensor '{}' is {}; weights must be F32, F16 or BF16", tensor.name,
                       tensor.type_name),
           ErrorKind::unsupported);
  }
  if (!all_finite(values)) {
    fail(where, fmt::format("tensor '{}' has numbers that are NaN or infinite", tensor.name));
  }
  return values;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : name_(path.string()), file_(path), header_(parse_safetensors(file_.bytes(), name_)) {}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto found = std::lower_bound(
      header_.tensors.begin(), header_.tensors.end(), name,
      [](const TensorInfo& tensor, std::string_view wanted) { return tensor.name < wanted; });
  return found != header_.tensors.end() && found->name == name ? &*found : nullptr;
}

}  // namespace memmatch
