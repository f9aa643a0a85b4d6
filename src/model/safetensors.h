#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/tensors.h"

// Safetensors: 8 bytes with the header's length, a JSON header that says of each tensor its type,
// shape and place, and then the numbers, back to back. See
// https://github.com/huggingface/safetensors#format.

namespace memmatch {

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;  // in the order of their names
  std::map<std::string, std::string> metadata;
};

// Reads and checks everything that comes before the numbers: lengths, types, shapes, names, and
// that the tensors cover the rest of the file without overlap, hole or remainder. After it, every
// tensor's bytes are known to be there. Throws Error(corrupt / unsupported) naming `where` and the
// tensor.
SafetensorsHeader parse_safetensors(std::span<const std::byte> file, std::string_view where);

// The same as a file to read tensors from.
TensorFile open_safetensors(const std::filesystem::path& path);

// A tensor to be written; the numbers stay where they are.
struct TensorView {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::span<const float> values;
};

enum class Storage { fp32, fp16 };

// Writes the tensors in the order of their names, so that the same tensors give the same bytes; the
// file appears under its name when it is complete. Throws Error: invalid_argument where a shape
// does not fit its values, a name comes twice, or a number is too large for fp16; io.
void write_safetensors(const std::filesystem::path& path, std::vector<TensorView> tensors,
                       Storage storage);

}  // namespace memmatch
