#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"

// Safetensors: 8 bytes with the header's length, a JSON header that says of each tensor its type,
// shape and place, and then the numbers, back to back. See
// https://github.com/huggingface/safetensors#format.

namespace memmatch {

// The types that weights may have. Files may hold tensors of others (old BERTs store
// `position_ids` as integers); those are listed but cannot be read.
enum class TensorType { f32, f16, bf16, other };

struct TensorInfo {
  std::string name;
  TensorType type = TensorType::other;
  std::string type_name;  // as in the file: "F32", "I64" …
  std::vector<std::uint64_t> shape;
  std::uint64_t elements = 0;
  std::uint64_t begin = 0;  // bytes from the start of the file
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;  // in the order of their names
  std::map<std::string, std::string> metadata;
};

// Reads and checks everything that comes before the numbers: lengths, types, shapes, names, and
// that the tensors cover the rest of the file without overlap, hole or remainder. After it, every
// tensor's bytes are known to be there. Throws Error(corrupt / unsupported) naming `where` and the
// tensor.
SafetensorsHeader parse_safetensors(std::span<const std::byte> file, std::string_view where);

// A tensor that parse_safetensors found in `file`, as fp32, whatever it was stored as. Throws
// Error: unsupported where it is none of fp32, fp16 and bf16; corrupt where one of its numbers is a
// NaN or infinite.
std::vector<float> read_tensor(std::span<const std::byte> file, const TensorInfo& tensor,
                               std::string_view where);

// A safetensors file, mapped into memory: opening costs its header only.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);

  // Null where the file has no such tensor.
  const TensorInfo* find(std::string_view name) const;

  std::vector<float> read(const TensorInfo& tensor) const {
    return read_tensor(file_.bytes(), tensor, name_);
  }

  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  MappedFile file_;
  SafetensorsHeader header_;
};

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

// "[2, 3]", for messages.
std::string to_string(const std::vector<std::uint64_t>& shape);

}  // namespace memmatch
