#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/float16.h"
#include "memmatch/error.h"
#include "model/safetensors.h"

namespace memmatch {
namespace {

std::uint64_t bytes_each(Storage storage) { return storage == Storage::fp32 ? 4 : 2; }

void check(const std::vector<TensorView>& sorted, const std::string& file) {
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const TensorView& tensor = sorted[i];
    std::uint64_t elements = 1;
    for (const std::uint64_t dimension : tensor.shape) elements *= dimension;
    if (elements != tensor.values.size()) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("{}: tensor '{}' of shape {} has {} values", file, tensor.name,
                              to_string(tensor.shape), tensor.values.size()));
    }
    if (i > 0 && sorted[i - 1].name == tensor.name) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("{}: tensor '{}' comes twice", file, tensor.name));
    }
  }
}

// The length and the header, padded with blanks so that the numbers start at a multiple of 8.
std::string header_bytes(const std::vector<TensorView>& tensors, Storage storage) {
  nlohmann::ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};  // what Hugging Face's own loaders ask for
  std::uint64_t offset = 0;
  for (const TensorView& tensor : tensors) {
    const std::uint64_t end = offset + tensor.values.size() * bytes_each(storage);
    header[tensor.name] = {{"dtype", storage == Storage::fp32 ? "F32" : "F16"},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string bytes(8, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, bytes.size());
  return bytes + text;
}

// In chunks, to need no second copy of the tensor.
void write_as_half(AtomicFile& file, const TensorView& tensor, const std::string& name) {
  std::vector<std::uint16_t> chunk;
  for (std::size_t begin = 0; begin < tensor.values.size(); begin += chunk.size()) {
    const std::size_t n = std::min<std::size_t>(tensor.values.size() - begin, 1 << 16);
    chunk.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      chunk[i] = half_from_float(tensor.values[begin + i]);
      if ((chunk[i] & 0x7FFF) == 0x7C00 && std::isfinite(tensor.values[begin + i])) {
        throw Error(ErrorKind::invalid_argument,
                    fmt::format("{}: tensor '{}' holds {}, which is too large for fp16; store it "
                                "as fp32",
                                name, tensor.name, tensor.values[begin + i]));
      }
    }
    file.write({reinterpret_cast<const char*>(chunk.data()), n * sizeof chunk[0]});
  }
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, std::vector<TensorView> tensors,
                       Storage storage) {
  std::sort(tensors.begin(), tensors.end(),
            [](const TensorView& a, const TensorView& b) { return a.name < b.name; });
  check(tensors, path.string());
  AtomicFile file(path);
  file.write(header_bytes(tensors, storage));
  for (const TensorView& tensor : tensors) {
    if (storage == Storage::fp16) {
      write_as_half(file, tensor, path.string());
    } else {
      file.write({reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes()});
    }
  }
  file.commit();
}

}  // namespace memmatch
