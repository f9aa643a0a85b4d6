#include "train/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/files.h"
#include "memmatch/error.h"

namespace memmatch::train {
namespace {

// The one list of keys: reading and writing both follow it.
template <typename R, typename Visit>
void for_each_key(R& data,
                  const Visit& visit) requires std::is_same_v<std::remove_const_t<R>, DataRecipe> {
  visit("store", data.store);
  visit("train", data.train);
  visit("dev", data.dev);
  visit("dev_claims", data.dev_claims);
  visit("unverifiable_share", data.unverifiable_share);
  visit("precision", data.precision);
}

template <typename R, typename Visit>
void for_each_key(R& model,
                  const Visit& visit) requires std::is_same_v<std::remove_const_t<R>, ModelRecipe> {
  visit("start", model.start);
  visit("filters", model.filters);
  visit("word_dimension", model.word_dimension);
  visit("memory_vocabulary", model.memory_vocabulary);
  visit("lengths", model.lengths);
  visit("level_layers", model.level_layers);
  visit("word_scale", model.word_scale);
}

template <typename R, typename Visit>
void for_each_key(
    R& memory, const Visit& visit) requires std::is_same_v<std::remove_const_t<R>, MemoryRecipe> {
  visit("optimizer", memory.optimizer);
  visit("learning_rate", memory.learning_rate);
  visit("decay", memory.decay);
  visit("clip_norm", memory.clip_norm);
}

template <typename R, typename Visit>
void for_each_key(
    R& encoder, const Visit& visit) requires std::is_same_v<std::remove_const_t<R>, EncoderRecipe> {
  visit("learning_rate", encoder.learning_rate);
  visit("warm_up", encoder.warm_up);
  visit("weight_decay", encoder.weight_decay);
  visit("dropout", encoder.dropout);
  visit("freeze_embeddings", encoder.freeze_embeddings);
  visit("arithmetic", encoder.arithmetic);
}

template <typename R, typename Visit>
void for_each_key(R& pairs,
                  const Visit& visit) requires std::is_same_v<std::remove_const_t<R>, PairsRecipe> {
  visit("level1_negatives", pairs.level1_negatives);
  visit("level2_negatives", pairs.level2_negatives);
  visit("in_batch_negatives", pairs.in_batch_negatives);
  visit("head_weight", pairs.head_weight);
  visit("title_noise", pairs.title_noise);
}

template <typename R, typename Visit>
void for_each_key(R& embedding, const Visit& visit) requires
    std::is_same_v<std::remove_const_t<R>, EmbeddingRecipe> {
  visit("like", embedding.like);
  visit("weight", embedding.weight);
}

template <typename R, typename Visit>
void for_each_key(
    R& source, const Visit& visit) requires std::is_same_v<std::remove_const_t<R>, SourceRecipe> {
  visit("file", source.file);
  visit("weight", source.weight);
}

template <typename R, typename Visit>
void for_each_key(R& stage,
                  const Visit& visit) requires std::is_same_v<std::remove_const_t<R>, StageRecipe> {
  visit("kind", stage.kind);
  visit("epochs", stage.epochs);
  visit("claims", stage.claims);
  visit("batch", stage.batch);
  visit("updates", stage.updates);
  visit("encoder_epochs", stage.encoder_epochs);
  visit("levels", stage.levels);
  visit("level1_start", stage.level1_start);
  visit("level1_loss", stage.level1_loss);
  visit("level1_negatives", stage.level1_negatives);
  visit("level1_weight", stage.level1_weight);
  visit("freeze_layers", stage.freeze_layers);
  visit("memory_rate", stage.memory_rate);
  visit("encoder_rate", stage.encoder_rate);
  visit("k1", stage.k1);
  visit("z", stage.z);
  visit("reference", stage.reference);
  visit("search", stage.search);
  visit("patience", stage.patience);
  visit("from_best", stage.from_best);
  visit("withheld_share", stage.withheld_share);
  visit("pairs_share", stage.pairs_share);
}

// The parts that a recipe may have several of.
template <typename R, typename Visit>
void for_each_list(R& recipe, const Visit& visit) {
  visit("source", recipe.sources);
  visit("stage", recipe.stages);
}

template <typename R, typename Visit>
void for_each_table(R& recipe, const Visit& visit) {
  visit("data", recipe.data);
  visit("model", recipe.model);
  visit("memory", recipe.memory);
  visit("encoder", recipe.encoder);
  visit("pairs", recipe.pairs);
  visit("embedding", recipe.embedding);
}

[[noreturn]] void fail(const std::string& file, const toml::node& node, const std::string& what) {
  throw Error(ErrorKind::corrupt, fmt::format("{}:{}: {}", file, node.source().begin.line, what));
}

template <typename T>
void read_value(const std::string& file, const std::string& key, const toml::node& node, T& value) {
  if (const std::optional<T> found = node.value<T>()) {
    value = *found;
  } else {
    fail(file, node,
         fmt::format("{} must be {}", key,
                     std::is_same_v<T, bool>          ? "true or false"
                     : std::is_same_v<T, std::string> ? "a string"
                                                      : "a number"));
  }
}

template <typename T>
void read_value(const std::string& file, const std::string& key, const toml::node& node,
                std::vector<T>& values) {
  const toml::array* array = node.as_array();
  if (!array) fail(file, node, key + " must be a list");
  values.clear();
  for (const toml::node& element : *array) read_value(file, key, element, values.emplace_back());
}

// Fills a part of the recipe from its table; keys that it does not have are errors.
template <typename Part>
void read_table(const std::string& file, const std::string& name, const toml::node& node,
                Part& part) {
  const toml::table* table = node.as_table();
  if (!table) fail(file, node, fmt::format("[{}] must be a table", name));
  std::set<std::string> known;
  for_each_key(part, [&](const char* key, auto& value) {
    known.insert(key);
    if (const toml::node* found = table->get(key))
      read_value(file, fmt::format("{}.{}", name, key), *found, value);
  });
  for (const auto& [key, value] : *table) {
    if (known.contains(std::string(key.str()))) continue;
    fail(file, value,
         fmt::format("there is no '{}' in [{}]; docs/training.md lists the keys",
                     std::string(key.str()), name));
  }
}

Recipe read_tables(const std::string& file, const toml::table& root) {
  Recipe recipe;
  std::set<std::string> known = {"seed"};
  if (const toml::node* seed = root.get("seed")) {
    std::int64_t value = 0;
    read_value(file, "seed", *seed, value);
    recipe.seed = static_cast<std::uint64_t>(value);
  }
  for_each_table(recipe, [&](const char* name, auto& part) {
    known.insert(name);
    if (const toml::node* found = root.get(name)) read_table(file, name, *found, part);
  });
  for_each_list(recipe, [&](const char* name, auto& parts) {
    known.insert(name);
    const toml::node* found = root.get(name);
    if (!found) return;
    const toml::array* array = found->as_array();
    if (!array) fail(file, *found, fmt::format("{0}s are written as [[{0}]]", name));
    for (const toml::node& part : *array) {
      auto& one = parts.emplace_back();
      read_table(file, fmt::format("{}.{}", name, parts.size()), part, one);
    }
  });
  for (const auto& [key, value] : root) {
    if (!known.contains(std::string(key.str())))
      fail(
          file, value,
          fmt::format("there is no '{}'; docs/training.md lists the keys", std::string(key.str())));
  }
  return recipe;
}

// The value of a setting as TOML; what is none is taken as a string.
std::string as_toml(const std::string& value) {
  try {
    (void)toml::parse("x = " + value);
    return value;
  } catch (const toml::parse_error&) {
    return fmt::format("'''{}'''", value);
  }
}

// "encoder.dropout=0": the table that the setting is for is read once more with this key alone.
void apply_setting(Recipe& recipe, const std::string& setting) {
  const auto bad = [&](const std::string& why) {
    return Error(ErrorKind::invalid_argument, fmt::format("--set {}: {}", setting, why));
  };
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) throw bad("must look like encoder.dropout=0");
  const std::string path = setting.substr(0, equals);
  const std::size_t dot = path.rfind('.');
  const std::string table = dot == std::string::npos ? "" : path.substr(0, dot);
  toml::table parsed;
  try {
    parsed = toml::parse(fmt::format("{} = {}", path.substr(dot == std::string::npos ? 0 : dot + 1),
                                     as_toml(setting.substr(equals + 1))));
  } catch (const toml::parse_error& error) {
    throw bad(std::string(error.description()));
  }
  const std::string where = "--set " + setting;
  if (path == "seed") {
    recipe.seed = read_tables(where, parsed).seed;
    return;
  }
  bool found = false;
  for_each_table(recipe, [&](const char* name, auto& part) {
    if (table != name) return;
    read_table(where, name, parsed, part);
    found = true;
  });
  for_each_list(recipe, [&](const char* list, auto& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string name = fmt::format("{}.{}", list, i + 1);
      if (table != name) continue;
      read_table(where, name, parsed, parts[i]);
      found = true;
    }
  });
  if (!found) throw bad(fmt::format("there is no table '{}'", table));
}

std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

std::string written(const std::string& value) { return quoted(value); }
std::string written(std::int64_t value) { return std::to_string(value); }
std::string written(bool value) { return value ? "true" : "false"; }
std::string written(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}
template <typename T>
std::string written(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ", ") + written(value);
  return "[" + text + "]";
}

}  // namespace

Recipe read_recipe(const std::filesystem::path& file, std::span<const std::string> settings) {
  Recipe recipe;
  try {
    recipe = read_tables(file.string(), toml::parse(read_file(file), file.string()));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::corrupt, fmt::format("{}:{}: {}", file.string(),
                                                error.source().begin.line, error.description()));
  }
  for (const std::string& setting : settings) apply_setting(recipe, setting);
  check(recipe);
  return recipe;
}

std::string to_toml(const Recipe& recipe) {
  std::string text = fmt::format("seed = {}\n", recipe.seed);
  const auto write_keys = [&](const auto& part) {
    for_each_key(part, [&](const char* key, const auto& value) {
      text += fmt::format("{} = {}\n", key, written(value));
    });
  };
  for_each_table(recipe, [&](const char* name, const auto& part) {
    text += fmt::format("\n[{}]\n", name);
    write_keys(part);
  });
  for_each_list(recipe, [&](const char* name, const auto& parts) {
    for (const auto& part : parts) {
      text += fmt::format("\n[[{}]]\n", name);
      write_keys(part);
    }
  });
  return text;
}

bool trains_level(const StageRecipe& stage, int level) {
  return std::find(stage.levels.begin(), stage.levels.end(), level) != stage.levels.end();
}

void check(const Recipe& recipe) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw Error(ErrorKind::invalid_argument, "recipe: " + what);
  };
  const auto is_share = [](double x) { return x >= 0 && x < 1; };
  require(recipe.seed < std::uint64_t{1} << 62, "seed must be from 0 to 2^62");
  require(!recipe.data.store.empty(), "data.store is missing (or --store)");
  require(!recipe.data.train.empty(), "data.train is missing (or --train)");
  require(!recipe.model.start.empty(), "model.start is missing (or --start)");
  require(recipe.model.lengths.size() == 3, "model.lengths must have three numbers");
  require(recipe.model.level_layers.size() == 3, "model.level_layers must have three numbers");
  require(is_share(recipe.data.unverifiable_share),
          "data.unverifiable_share must be at least 0 and below 1");
  require(recipe.data.precision == "int8" || recipe.data.precision == "fp32",
          "data.precision must be int8 or fp32");
  require(recipe.memory.optimizer == "adadelta" || recipe.memory.optimizer == "adam",
          "memory.optimizer must be adadelta or adam");
  require(recipe.data.dev_claims >= 0, "data.dev_claims must not be negative");
  require(recipe.model.filters >= 1 && recipe.model.word_dimension >= 1,
          "model.filters and model.word_dimension must be at least 1");
  require(recipe.model.memory_vocabulary >= 1, "model.memory_vocabulary must be at least 1");
  require(recipe.memory.learning_rate > 0, "memory.learning_rate must be above 0");
  require(recipe.memory.clip_norm >= 0, "memory.clip_norm must not be negative");
  require(recipe.encoder.learning_rate > 0, "encoder.learning_rate must be above 0");
  require(recipe.encoder.weight_decay >= 0, "encoder.weight_decay must not be negative");
  require(recipe.pairs.level1_negatives >= 0, "pairs.level1_negatives must not be negative");
  require(recipe.pairs.level2_negatives >= 0, "pairs.level2_negatives must not be negative");
  require(recipe.pairs.in_batch_negatives >= 0, "pairs.in_batch_negatives must not be negative");
  require(recipe.pairs.head_weight >= 0, "pairs.head_weight must not be negative");
  require(is_share(recipe.pairs.title_noise), "pairs.title_noise must be at least 0 and below 1");
  require(recipe.embedding.weight > 0, "embedding.weight must be above 0");
  const std::string& arithmetic = recipe.encoder.arithmetic;
  require(arithmetic == "fp32" || arithmetic == "bf16" || arithmetic == "auto",
          "encoder.arithmetic must be fp32, bf16 or auto");
  for (std::size_t i = 0; i < recipe.sources.size(); ++i) {
    require(!recipe.sources[i].file.empty(), fmt::format("source.{}.file is missing", i + 1));
    require(recipe.sources[i].weight > 0, fmt::format("source.{}.weight must be above 0", i + 1));
  }
  require(is_share(recipe.encoder.dropout), "encoder.dropout must be at least 0 and below 1");
  require(is_share(recipe.encoder.warm_up), "encoder.warm_up must be at least 0 and below 1");
  require(!recipe.stages.empty(), "there is no [[stage]]");
  for (std::size_t i = 0; i < recipe.stages.size(); ++i) {
    const StageRecipe& stage = recipe.stages[i];
    const auto in_stage = [&](bool holds, const char* what) {
      require(holds, fmt::format("stage.{}.{}", i + 1, what));
    };
    in_stage(stage.kind == "match" || stage.kind == "warmup", "kind must be match or warmup");
    in_stage(stage.updates == "alternate" || stage.updates == "joint" ||
                 stage.updates == "memory" || stage.updates == "encoder",
             "updates must be alternate, joint, memory or encoder");
    in_stage(
        !stage.levels.empty() && std::all_of(stage.levels.begin(), stage.levels.end(),
                                             [](auto level) { return level >= 1 && level <= 3; }),
        "levels must be some of 1, 2 and 3");
    in_stage(stage.level1_start == "kept" || stage.level1_start == "words",
             "level1_start must be kept or words");
    in_stage(stage.level1_loss == "matching" || stage.level1_loss == "ranking",
             "level1_loss must be matching or ranking");
    in_stage(stage.level1_negatives >= 0, "level1_negatives must not be negative");
    in_stage(stage.level1_weight >= 0, "level1_weight must not be negative");
    in_stage(stage.search == "model" || stage.search == "overlap",
             "search must be model or overlap");
    in_stage(stage.epochs >= 1, "epochs must be at least 1");
    in_stage(stage.batch >= 1, "batch must be at least 1");
    in_stage(stage.claims >= 0, "claims must not be negative");
    in_stage(stage.freeze_layers >= 0, "freeze_layers must not be negative");
    in_stage(stage.memory_rate >= 0, "memory_rate must not be negative");
    in_stage(stage.encoder_rate >= 0, "encoder_rate must not be negative");
    in_stage(stage.k1 >= 1 && stage.z >= 1, "k1 and z must be at least 1");
    in_stage(is_share(stage.withheld_share), "withheld_share must be at least 0 and below 1");
    in_stage(is_share(stage.pairs_share), "pairs_share must be at least 0 and below 1");
    in_stage(stage.pairs_share == 0 || !recipe.sources.empty(), "pairs_share needs a [[source]]");
    in_stage(stage.pairs_share == 0 || stage.kind == "warmup" || trains_level(stage, 3),
             "pairs_share needs level 3 among the stage's levels: pairs train nothing else");
  }
}

}  // namespace memmatch::train
