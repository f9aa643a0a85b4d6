#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/config.h"

// `config.json`: the shape of the encoder in Hugging Face's words, and in our own object,
// "memmatch", the memory layers' settings. See docs/file_formats.md.

namespace memmatch {

inline constexpr int kModelFormatVersion = 1;

struct ModelConfig {
  EncoderConfig encoder;
  std::optional<MemoryConfig> memory;  // none in the folder of a bare encoder
  std::uint64_t seed = 0;              // what the memory layers were initialised with
  SearchConfig search;
};

// Throws Error naming `where` and the field: corrupt where a field is missing, of the wrong type,
// or out of all proportion; unsupported where it is a network other than BERT with absolute
// positions and the exact (erf) GELU. `text` may be enlarged, not changed.
ModelConfig parse_model_config(std::string& text, const std::string& where);

std::string model_config_text(const ModelConfig& config);

// The "memmatch" object alone; config.memory must be there.
std::string memory_config_text(const ModelConfig& config);

// Throws Error(corrupt) with `where` in front unless all sizes are within bounds and fit together.
void check_config(const EncoderConfig& config, const std::string& where);
void check_config(const MemoryConfig& memory, const EncoderConfig& encoder,
                  const std::string& where);
void check_config(const SearchConfig& search, const std::string& where);

// Numbers of trained parameters.
std::uint64_t encoder_parameters(const EncoderConfig& config);
// Of BERT's pooler, which many files hold and memmatch has no use for.
std::uint64_t pooler_parameters(const EncoderConfig& config);
// Of one level's memory layer.
std::uint64_t memory_level_parameters(const MemoryConfig& memory, const EncoderConfig& encoder);

}  // namespace memmatch
