#include "model/config_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "memmatch/error.h"

namespace memmatch {
namespace {

// Far beyond any BERT there is, and small enough that no product of two of them overflows.
constexpr std::int64_t kLargestVocabulary = 10'000'000;
constexpr std::int64_t kLargestWidth = 1'000'000;
constexpr std::int64_t kMostLayers = 1'000;

// Beyond it nothing is left of any distance.
constexpr double kLargestWordCredit = 1'000;

struct Size {
  const char* field;
  std::int64_t value;
  std::int64_t largest;
};

void check_sizes(std::initializer_list<Size> sizes, const std::string& where) {
  for (const Size& size : sizes) {
    if (size.value >= 1 && size.value <= size.largest) continue;
    throw Error(ErrorKind::corrupt, fmt::format("{}: '{}' is {}; it must be from 1 to {}", where,
                                                size.field, size.value, size.largest));
  }
}

// Fields that say which network it is. Where one is absent, Hugging Face takes ours.
void require(const JsonObject& config, const char* field, std::string_view expected) {
  const std::string_view value = config.optional_string(field).value_or(expected);
  if (value == expected) return;
  throw Error(ErrorKind::unsupported, fmt::format("{}: '{}' is '{}'; only '{}' is supported",
                                                  config.where(), field, value, expected));
}

EncoderConfig parse_encoder(const JsonObject& fields) {
  require(fields, "model_type", "bert");
  require(fields, "hidden_act", "gelu");
  require(fields, "position_embedding_type", "absolute");
  if (fields.optional_bool("is_decoder").value_or(false)) {
    throw Error(ErrorKind::unsupported,
                fields.where() + ": 'is_decoder' is true; only encoders are supported");
  }
  EncoderConfig config;
  config.vocabulary = fields.integer("vocab_size");
  config.hidden = fields.integer("hidden_size");
  config.layers = fields.integer("num_hidden_layers");
  config.heads = fields.integer("num_attention_heads");
  config.intermediate = fields.integer("intermediate_size");
  config.positions = fields.optional_integer("max_position_embeddings").value_or(512);
  config.token_types = fields.optional_integer("type_vocab_size").value_or(2);
  config.layer_norm_epsilon = fields.optional_number("layer_norm_eps").value_or(1e-12);
  check_config(config, fields.where());
  return config;
}

void check_version(const JsonObject& fields) {
  const std::int64_t version = fields.integer("format_version");
  if (version == kModelFormatVersion) return;
  throw Error(ErrorKind::unsupported,
              fmt::format("{}: 'format_version' is {}; this program reads version {}",
                          fields.where(), version, kModelFormatVersion));
}

std::array<std::int64_t, 3> parse_levels(const JsonObject& fields, const std::string& field) {
  const JsonArray list = fields.array(field);
  if (list.size() != 3) fields.fail(fmt::format("'{}' must have one number for each level", field));
  std::array<std::int64_t, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = as_integer(list.at(i).value(), fields.where(), field);
  return values;
}

MemoryConfig parse_memory(const JsonObject& fields, const EncoderConfig& encoder) {
  MemoryConfig memory;
  memory.filters = fields.integer("filters");
  memory.word_dimension = fields.integer("word_dimension");
  memory.vocabulary = fields.integer("memory_vocabulary_size");
  memory.lengths = parse_levels(fields, "level_lengths");
  if (fields.has("level_layers")) memory.layers = parse_levels(fields, "level_layers");
  check_config(memory, encoder, fields.where());
  return memory;
}

SearchConfig parse_search(const JsonObject& fields) {
  SearchConfig search;
  const JsonArray credit = fields.array("word_credit");
  if (credit.size() != search.word_credit.size())
    fields.fail("'word_credit' must have a number for level 1 and one for level 2");
  for (std::size_t i = 0; i < search.word_credit.size(); ++i)
    search.word_credit[i] = as_number(credit.at(i).value(), fields.where(), "word_credit");
  search.first_alone = fields.optional_bool("first_alone").value_or(false);
  check_config(search, fields.where());
  return search;
}

nlohmann::ordered_json memory_fields(const ModelConfig& config) {
  const MemoryConfig& memory = config.memory.value();
  nlohmann::ordered_json fields = {
      {"format_version", kModelFormatVersion},   {"filters", memory.filters},
      {"word_dimension", memory.word_dimension}, {"memory_vocabulary_size", memory.vocabulary},
      {"level_lengths", memory.lengths},         {"seed", config.seed}};
  if (memory.layers != MemoryConfig{}.layers) fields["level_layers"] = memory.layers;
  if (config.search != SearchConfig{}) {
    fields["search"] = {{"word_credit", config.search.word_credit},
                        {"first_alone", config.search.first_alone}};
  }
  return fields;
}

std::uint64_t linear(std::int64_t in, std::int64_t out) {
  return static_cast<std::uint64_t>(in * out + out);
}

}  // namespace

void check_config(const EncoderConfig& config, const std::string& where) {
  check_sizes({{"vocab_size", config.vocabulary, kLargestVocabulary},
               {"hidden_size", config.hidden, kLargestWidth},
               {"num_hidden_layers", config.layers, kMostLayers},
               {"num_attention_heads", config.heads, kLargestWidth},
               {"intermediate_size", config.intermediate, kLargestWidth},
               {"max_position_embeddings", config.positions, kLargestWidth},
               {"type_vocab_size", config.token_types, kLargestWidth}},
              where);
  if (config.hidden % config.heads != 0) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: 'hidden_size' {} is no multiple of 'num_attention_heads' {}",
                            where, config.hidden, config.heads));
  }
  if (config.positions < 3) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: 'max_position_embeddings' is {}; [CLS], a piece and [SEP] need 3",
                            where, config.positions));
  }
  if (!(config.layer_norm_epsilon > 0 && config.layer_norm_epsilon < 1)) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: 'layer_norm_eps' is {}; it must be between 0 and 1", where,
                            config.layer_norm_epsilon));
  }
}

void check_config(const MemoryConfig& memory, const EncoderConfig& encoder,
                  const std::string& where) {
  check_sizes({{"filters", memory.filters, kLargestWidth},
               {"word_dimension", memory.word_dimension, kLargestWidth},
               {"memory_vocabulary_size", memory.vocabulary, kLargestVocabulary},
               {"level_lengths", memory.lengths[0], encoder.positions - 2},
               {"level_lengths", memory.lengths[1], encoder.positions - 2},
               {"level_lengths", memory.lengths[2], encoder.positions - 2}},
              where);
  for (const std::int64_t layers : memory.layers) {
    if (layers >= 0 && layers <= encoder.layers) continue;
    throw Error(
        ErrorKind::corrupt,
        fmt::format("{}: 'level_layers' has {}; it must be from 1 to the encoder's {}, or 0 "
                    "for all",
                    where, layers, encoder.layers));
  }
  if (memory.vocabulary < 2) {
    throw Error(ErrorKind::corrupt, where +
                                        ": 'memory_vocabulary_size' counts padding and unknown, "
                                        "so it is 2 at least");
  }
}

void check_config(const SearchConfig& search, const std::string& where) {
  for (const double credit : search.word_credit) {
    if (credit >= 0 && credit <= kLargestWordCredit) continue;
    throw Error(ErrorKind::corrupt, fmt::format("{}: 'word_credit' has {}; it must be from 0 to {}",
                                                where, credit, kLargestWordCredit));
  }
}

ModelConfig parse_model_config(std::string& text, const std::string& where) {
  JsonParser parser;
  const JsonObject fields = parser.parse_object(text, where);
  ModelConfig config;
  config.encoder = parse_encoder(fields);
  if (!fields.has("memmatch")) return config;
  const JsonObject ours = fields.object("memmatch");
  check_version(ours);
  config.memory = parse_memory(ours, config.encoder);
  const std::int64_t seed = ours.optional_integer("seed").value_or(0);
  if (seed < 0) ours.fail(fmt::format("'seed' is {}; it must not be negative", seed));
  config.seed = static_cast<std::uint64_t>(seed);
  if (ours.has("search")) config.search = parse_search(ours.object("search"));
  return config;
}

std::string model_config_text(const ModelConfig& config) {
  const EncoderConfig& encoder = config.encoder;
  nlohmann::ordered_json fields = {
      {"architectures", {"BertModel"}},
      {"model_type", "bert"},
      {"vocab_size", encoder.vocabulary},
      {"hidden_size", encoder.hidden},
      {"num_hidden_layers", encoder.layers},
      {"num_attention_heads", encoder.heads},
      {"intermediate_size", encoder.intermediate},
      {"max_position_embeddings", encoder.positions},
      {"type_vocab_size", encoder.token_types},
      {"layer_norm_eps", encoder.layer_norm_epsilon},
      {"hidden_act", "gelu"},
      {"position_embedding_type", "absolute"},
      {"hidden_dropout_prob", 0.1},
      {"attention_probs_dropout_prob", 0.1},
      {"pad_token_id", 0},
  };
  if (config.memory) fields["memmatch"] = memory_fields(config);
  return fields.dump(2) + "\n";
}

std::string memory_config_text(const ModelConfig& config) {
  return memory_fields(config).dump(2) + "\n";
}

std::uint64_t encoder_parameters(const EncoderConfig& config) {
  const std::int64_t norm = 2 * config.hidden;
  const std::int64_t rows = config.vocabulary + config.positions + config.token_types;
  const std::uint64_t embeddings = static_cast<std::uint64_t>(rows * config.hidden + norm);
  const std::uint64_t layer =
      4 * linear(config.hidden, config.hidden) + linear(config.hidden, config.intermediate) +
      linear(config.intermediate, config.hidden) + 2 * static_cast<std::uint64_t>(norm);
  return embeddings + static_cast<std::uint64_t>(config.layers) * layer;
}

std::uint64_t pooler_parameters(const EncoderConfig& config) {
  return linear(config.hidden, config.hidden);
}

std::uint64_t memory_level_parameters(const MemoryConfig& memory, const EncoderConfig& encoder) {
  return static_cast<std::uint64_t>(memory.vocabulary * memory.word_dimension) +
         linear(memory.word_dimension + encoder.hidden, memory.filters);
}

}  // namespace memmatch
