#pragma once

#include <cstring>
#include <string>
#include <vector>

// Writes small ONNX files, good and bad ones.

namespace memmatch::test {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

inline std::string integer_field(std::uint64_t field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}

inline std::string bytes_field(std::uint64_t field, const std::string& content) {
  return varint(field << 3 | 2) + varint(content.size()) + content;
}

template <typename Number>
std::string raw_bytes(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

namespace onnx_type {
constexpr std::uint64_t kFloat = 1;
constexpr std::uint64_t kInt8 = 3;
constexpr std::uint64_t kInt64 = 7;
constexpr std::uint64_t kFloat16 = 10;
}  // namespace onnx_type

struct OnnxTensor {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::string data;
  std::uint64_t type = onnx_type::kFloat;
  std::uint64_t data_field = 9;  // raw_data
  std::string more = {};         // further fields

  std::string bytes() const {
    std::string bytes;
    for (const std::uint64_t dimension : shape) bytes += integer_field(1, dimension);
    bytes += integer_field(2, type) + bytes_field(8, name);
    return bytes + bytes_field(data_field, data) + more;
  }
};

struct OnnxOperator {
  std::string operation;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string domain = {};
  std::string more = {};

  std::string bytes() const {
    std::string bytes;
    for (const std::string& input : inputs) bytes += bytes_field(1, input);
    for (const std::string& output : outputs) bytes += bytes_field(2, output);
    bytes += bytes_field(3, "/" + operation) + bytes_field(4, operation);
    if (!domain.empty()) bytes += bytes_field(7, domain);
    return bytes + more;
  }
};

inline std::string onnx_file(const std::vector<OnnxOperator>& operators,
                             const std::vector<OnnxTensor>& tensors) {
  std::string graph;
  for (const OnnxOperator& node : operators) graph += bytes_field(1, node.bytes());
  graph += bytes_field(2, "main_graph");
  for (const OnnxTensor& tensor : tensors) graph += bytes_field(5, tensor.bytes());
  return integer_field(1, 6) + bytes_field(2, "pytorch") + bytes_field(7, graph);
}

}  // namespace memmatch::test
