#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/tensors.h"

// ONNX files: a network as a graph of operators, with its weights as initialisers. See
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.

namespace memmatch {

// An operator and the names of the tensors that it takes and gives. Its attributes, and with them
// graphs within the graph, are left unread.
struct OnnxNode {
  std::string_view name;
  std::string_view domain;  // empty for ONNX's own operators
  std::string_view operation;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
};

struct OnnxGraph {
  std::vector<TensorInfo> tensors;  // initialisers, in the order of their names
  std::vector<OnnxNode> nodes;      // in the file's order; their names point into the file
};

// Reads a file but for the numbers. Tensors of fp32, fp16 and bf16 are known to have all their
// bytes in it; those of other types cannot be read. Throws Error naming `where` and the tensor:
// corrupt for anything damaged; unsupported where the numbers are in another file, or not in one
// piece.
OnnxGraph parse_onnx(std::span<const std::byte> file, std::string_view where);

}  // namespace memmatch
