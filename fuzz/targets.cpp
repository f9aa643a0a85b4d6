#include "fuzz/targets.h"

#include <cstdlib>
#include <string>

#include "memmatch/error.h"
#include "model/config_files.h"
#include "model/safetensors.h"

namespace memmatch::fuzz {
namespace {

void require(bool promise) {
  if (!promise) std::abort();
}

// True where `action` ended well, false where it threw our Error; nothing else may be thrown.
template <typename Action>
bool accepts(Action action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    require(error.what()[0] != '\0');
    return false;
  }
}

}  // namespace

void safetensors(std::span<const std::byte> input) {
  SafetensorsHeader header;
  if (!accepts([&] { header = parse_safetensors(input, "fuzz"); })) return;
  std::uint64_t bytes = 0;
  for (const TensorInfo& tensor : header.tensors) {
    bytes += tensor.end - tensor.begin;
    accepts([&] { require(read_tensor(input, tensor, "fuzz").size() == tensor.elements); });
  }
  require(bytes <= input.size());
}

void config(std::span<const std::byte> input) {
  std::string text(reinterpret_cast<const char*>(input.data()), input.size());
  ModelConfig config;
  if (!accepts([&] { config = parse_model_config(text, "fuzz"); })) return;
  require(encoder_parameters(config.encoder) > pooler_parameters(config.encoder));
  if (config.memory) require(memory_level_parameters(*config.memory, config.encoder) > 0);
  // What was accepted is written such that it is accepted again, and means the same.
  std::string written = model_config_text(config);
  require(model_config_text(parse_model_config(written, "written")) == written);
}

}  // namespace memmatch::fuzz
