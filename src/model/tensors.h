#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"

// Tensors by name, as files of weights hold them, whatever the file's format.

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
  bool transposed = false;  // a matrix of which the file has the columns where `shape` has rows
};

// "[2, 3]", for messages.
std::string to_string(const std::vector<std::uint64_t>& shape);

// How many elements a shape has. Throws Error(corrupt) naming `where` if their bytes are more than
// 64 bits can count.
std::uint64_t count_elements(const std::vector<std::uint64_t>& shape, std::uint64_t bytes_each,
                             std::string_view where);

// Puts tensors into the order of their names. Throws Error(corrupt) where one comes twice.
void sort_by_name(std::vector<TensorInfo>& tensors, std::string_view where);

// A tensor of which the bytes are known to be in `file`, row by row as fp32, whatever it was stored
// as. Throws Error: unsupported where it is none of fp32, fp16 and bf16; corrupt where one of its
// numbers is a NaN or infinite.
std::vector<float> read_tensor(std::span<const std::byte> file, const TensorInfo& tensor,
                               std::string_view where);

// A file of tensors, mapped into memory: opening costs what says where they are, not the numbers.
class TensorFile {
 public:
  // Gives the tensors of a file in the order of their names, having checked that their bytes are
  // there.
  using Parse = std::vector<TensorInfo> (*)(std::span<const std::byte> file,
                                            std::string_view where);

  TensorFile(const std::filesystem::path& path, Parse parse)
      : name_(path.string()), file_(path), tensors_(parse(file_.bytes(), name_)) {}

  // Null where the file has no such tensor.
  const TensorInfo* find(std::string_view name) const;

  std::vector<float> read(const TensorInfo& tensor) const {
    return read_tensor(file_.bytes(), tensor, name_);
  }

  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  MappedFile file_;
  std::vector<TensorInfo> tensors_;
};

}  // namespace memmatch
