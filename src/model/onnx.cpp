#include "model/onnx.h"

#include <fmt/format.h>

#include <optional>

#include "memmatch/error.h"
#include "model/protobuf.h"

namespace memmatch {
namespace {

// The fields of onnx.proto that are read.
namespace model_field {
constexpr std::uint64_t kGraph = 7;
}
namespace graph_field {
constexpr std::uint64_t kNode = 1;
constexpr std::uint64_t kInitializer = 5;
}  // namespace graph_field
namespace node_field {
constexpr std::uint64_t kInput = 1;
constexpr std::uint64_t kOutput = 2;
constexpr std::uint64_t kName = 3;
constexpr std::uint64_t kOperation = 4;
constexpr std::uint64_t kDomain = 7;
}  // namespace node_field
namespace tensor_field {
constexpr std::uint64_t kDimensions = 1;
constexpr std::uint64_t kType = 2;
constexpr std::uint64_t kSegment = 3;
constexpr std::uint64_t kFloats = 4;
constexpr std::uint64_t kName = 8;
constexpr std::uint64_t kRaw = 9;
constexpr std::uint64_t kExternal = 13;
constexpr std::uint64_t kLocation = 14;
}  // namespace tensor_field

constexpr std::string_view kTypeNames[] = {"UNDEFINED",  "FLOAT",   "UINT8",  "INT8",   "UINT16",
                                           "INT16",      "INT32",   "INT64",  "STRING", "BOOL",
                                           "FLOAT16",    "DOUBLE",  "UINT32", "UINT64", "COMPLEX64",
                                           "COMPLEX128", "BFLOAT16"};
constexpr std::uint64_t kFloat = 1;
constexpr std::uint64_t kFloat16 = 10;
constexpr std::uint64_t kBfloat16 = 16;

[[noreturn]] void fail(std::string_view where, std::string_view message,
                       ErrorKind kind = ErrorKind::corrupt) {
  throw Error(kind, fmt::format("{}: {}", where, message));
}

// What protobuf would take the last of must come once.
template <typename Value>
void set_once(std::optional<Value>& to, Value value, std::string_view what,
              std::string_view where) {
  if (to) fail(where, fmt::format("{} comes twice", what));
  to = value;
}

// An initialiser.
class TensorParser {
 public:
  TensorParser(ProtoReader reader, std::string_view file) : file_(file) {
    while (reader.next()) read_field(reader);
    if (!name_ || name_->empty()) fail(file_, "an initialiser has no name");
    where_ = fmt::format("{}: tensor '{}'", file_, *name_);
  }

  TensorInfo tensor() {
    if (elsewhere_) {
      fail(where_, "its numbers are in another file, which is not read; save the model as one file",
           ErrorKind::unsupported);
    }
    TensorInfo tensor;
    tensor.name = *name_;
    tensor.shape = shape();
    set_type(tensor);
    const std::uint64_t bytes_each = tensor.type == TensorType::f32 ? 4 : 2;
    tensor.elements = count_elements(tensor.shape, bytes_each, where_);
    if (tensor.type != TensorType::other) set_place(tensor, tensor.elements * bytes_each);
    return tensor;
  }

 private:
  void read_field(const ProtoReader& reader) {
    switch (reader.field()) {
      case tensor_field::kDimensions:
        reader.append_integers(dimensions_);
        break;
      case tensor_field::kType:
        set_once(type_, reader.integer(), "a tensor's 'data_type'", file_);
        break;
      case tensor_field::kSegment:
      case tensor_field::kExternal:
        elsewhere_ = true;
        break;
      case tensor_field::kLocation:
        elsewhere_ = elsewhere_ || reader.integer() != 0;
        break;
      case tensor_field::kFloats:
        set_once(floats_, reader.bytes(), "a tensor's 'float_data'", file_);
        break;
      case tensor_field::kName:
        set_once(name_, reader.text(), "a tensor's 'name'", file_);
        break;
      case tensor_field::kRaw:
        set_once(raw_, reader.bytes(), "a tensor's 'raw_data'", file_);
        break;
      default:
        break;  // numbers of types that weights cannot have, and remarks
    }
  }

  std::vector<std::uint64_t> shape() const {
    for (const std::uint64_t dimension : dimensions_) {
      if (static_cast<std::int64_t>(dimension) < 0) {
        fail(where_,
             fmt::format("a dimension is negative: {}", static_cast<std::int64_t>(dimension)));
      }
    }
    return dimensions_;
  }

  void set_type(TensorInfo& tensor) const {
    const std::uint64_t type = type_.value_or(0);
    tensor.type = type == kFloat      ? TensorType::f32
                  : type == kFloat16  ? TensorType::f16
                  : type == kBfloat16 ? TensorType::bf16
                                      : TensorType::other;
    tensor.type_name = type < std::size(kTypeNames) ? std::string(kTypeNames[type])
                                                    : fmt::format("of the type {}", type);
  }

  // `float_data` has fp32 numbers as they lie in memory, just like `raw_data`.
  void set_place(TensorInfo& tensor, std::uint64_t bytes) const {
    const bool as_floats = tensor.type == TensorType::f32 && floats_.has_value();
    if (as_floats && raw_) fail(where_, "it has both 'raw_data' and 'float_data'");
    const std::optional<ByteRange> place = as_floats ? floats_ : raw_;
    if (!place && bytes > 0) {
      fail(where_, "its numbers are neither in 'raw_data' nor in 'float_data'",
           ErrorKind::unsupported);
    }
    const ByteRange range = place.value_or(ByteRange{});
    if (range.size() != bytes) {
      fail(where_, fmt::format("shape {} of {} takes {} bytes, but it has {}",
                               to_string(tensor.shape), tensor.type_name, bytes, range.size()));
    }
    tensor.begin = range.begin;
    tensor.end = range.end;
  }

  std::string_view file_;
  std::string where_;
  std::optional<std::string_view> name_;
  std::vector<std::uint64_t> dimensions_;
  std::optional<std::uint64_t> type_;
  std::optional<ByteRange> floats_;
  std::optional<ByteRange> raw_;
  bool elsewhere_ = false;
};

OnnxNode parse_node(ProtoReader reader) {
  OnnxNode node;
  while (reader.next()) {
    switch (reader.field()) {
      case node_field::kInput:
        node.inputs.push_back(reader.text());
        break;
      case node_field::kOutput:
        node.outputs.push_back(reader.text());
        break;
      case node_field::kName:
        node.name = reader.text();
        break;
      case node_field::kOperation:
        node.operation = reader.text();
        break;
      case node_field::kDomain:
        node.domain = reader.text();
        break;
      default:
        break;
    }
  }
  return node;
}

ProtoReader find_graph(ProtoReader model, std::string_view where) {
  std::optional<ProtoReader> graph;
  while (model.next()) {
    if (model.field() == model_field::kGraph) set_once(graph, model.message(), "the graph", where);
  }
  if (!graph) fail(where, "not an ONNX file: it holds no graph");
  return *graph;
}

}  // namespace

OnnxGraph parse_onnx(std::span<const std::byte> file, std::string_view where) {
  OnnxGraph graph;
  ProtoReader reader = find_graph(ProtoReader(file, where), where);
  while (reader.next()) {
    if (reader.field() == graph_field::kNode) {
      graph.nodes.push_back(parse_node(reader.message()));
    } else if (reader.field() == graph_field::kInitializer) {
      graph.tensors.push_back(TensorParser(reader.message(), where).tensor());
    }
  }
  sort_by_name(graph.tensors, where);
  return graph;
}

}  // namespace memmatch
