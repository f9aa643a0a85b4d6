#pragma once

#include "model/onnx.h"

// ONNX exports of BERT, as PyTorch's exporter writes them.

namespace memmatch {

// The tensors of an exported BERT under Hugging Face's names, in their order. An exporter stores
// the matrix of a linear layer transposed and under a name of its own (`onnx::MatMul_42`); it is
// named by the bias that is added to its product. Throws Error naming `where` and the operator or
// tensor: unsupported for anything that is not a plain BERT (quantised or fused operators, other
// activations or position embeddings, tensors with no place in it, weights that are used in another
// way than BERT's); otherwise as parse_onnx.
std::vector<TensorInfo> parse_onnx_bert(std::span<const std::byte> file, std::string_view where);

// The same as a file to read tensors from.
TensorFile open_onnx(const std::filesystem::path& path);

}  // namespace memmatch
