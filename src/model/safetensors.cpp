#include "model/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/json.h"
#include "memmatch/error.h"

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
    for (const JsonElement dimension : fields.array("shape"))
      tensor_.shape.push_back(as_size(dimension, where_, "shape"));
    tensor_.elements = count_elements(tensor_.shape, bytes_each_, where_);
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
    const std::uint64_t bytes = tensor_.elements * bytes_each_;
    if (tensor_.end - tensor_.begin != bytes) {
      fail(where_, fmt::format("shape {} of {} takes {} bytes, but 'data_offsets' give it {}",
                               to_string(tensor_.shape), tensor_.type_name, bytes,
                               tensor_.end - tensor_.begin));
    }
  }

  std::string where_;
  TensorInfo tensor_;
  std::uint64_t bytes_each_ = 0;
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

}  // namespace

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
  sort_by_name(header.tensors, where);
  check_places(header.tensors, file.size() - data_begin, where);
  for (TensorInfo& tensor : header.tensors) {
    tensor.begin += data_begin;
    tensor.end += data_begin;
  }
  return header;
}

TensorFile open_safetensors(const std::filesystem::path& path) {
  return {path, [](std::span<const std::byte> file, std::string_view where) {
            return parse_safetensors(file, where).tensors;
          }};
}

}  // namespace memmatch
