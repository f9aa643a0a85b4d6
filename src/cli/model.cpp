#include <fmt/format.h>

#include "base/hash.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/model_options.h"
#include "cli/verbs.h"
#include "model/mean.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string model;
  std::string out;
  SaveOptions save;
  bool json = false;
};

struct CopyOptions {
  std::string model;
  std::string out;
  SaveOptions save;
  std::vector<double> word_credit;  // empty: as it was
  std::optional<bool> first_alone;
};

struct MeanOptions {
  std::string first;
  std::string second;
  double weight = 0.5;
  std::string out;
  SaveOptions save;
};

// 3319600 as "3,319,600".
std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

Json to_json(const std::string& path, const ModelInfo& info) {
  Json json = {{"model", path},
               {"fingerprint", to_hex(info.fingerprint)},
               {"encoder",
                {{"layers", info.layers},
                 {"hidden", info.hidden},
                 {"heads", info.heads},
                 {"intermediate", info.intermediate},
                 {"positions", info.positions},
                 {"vocabulary", info.vocabulary},
                 {"lowercases", info.lowercases},
                 {"parameters", info.encoder_parameters},
                 {"unused_pooler_parameters", info.pooler_parameters}}}};
  if (const auto& memory = info.memory) {
    json["memory"] = {{"filters", memory->filters},
                      {"word_dimension", memory->word_dimension},
                      {"vocabulary", memory->vocabulary},
                      {"level_lengths", memory->lengths},
                      {"level_layers", memory->layers},
                      {"parameters_of_one_level", memory->parameters_of_one_level},
                      {"seed", memory->seed},
                      {"word_credit", memory->word_credit},
                      {"first_alone", memory->first_alone}};
  }
  json["parameters"] = info.parameters();
  return json;
}

void print_readable(const std::string& path, const ModelInfo& info) {
  fmt::print("model         {}\n", path);
  fmt::print("fingerprint   {}\n", to_hex(info.fingerprint));
  fmt::print("encoder       BERT, {} layers, hidden {}, {} heads, intermediate {}\n", info.layers,
             info.hidden, info.heads, info.intermediate);
  fmt::print("              {} pieces ({}), {} positions\n", info.vocabulary,
             info.lowercases ? "uncased" : "cased", info.positions);
  if (const auto& memory = info.memory) {
    fmt::print("memory        3 levels of {} filters, word dimension {}, {} words\n",
               memory->filters, memory->word_dimension, memory->vocabulary);
    fmt::print("              sequences of {}, {} and {} pieces; seed {}\n", memory->lengths[0],
               memory->lengths[1], memory->lengths[2], memory->seed);
    const auto [first, second, third] = memory->layers;
    if (first != info.layers || second != info.layers || third != info.layers)
      fmt::print("              over {}, {} and {} layers of the encoder\n", first, second, third);
    const auto [level1, level2] = memory->word_credit;
    fmt::print(
        "search        {}{}\n",
        level1 == 0 && level2 == 0
            ? "by distance alone"
            : fmt::format("a shared letter counts {} at level 1, {} at level 2", level1, level2),
        memory->first_alone ? "; level 3 reads the first sentence also alone" : "");
  } else {
    fmt::print("memory        none: a bare encoder; `memmatch model init` adds memory layers\n");
  }
  fmt::print("parameters    {:>13}\n", with_commas(info.parameters()));
  fmt::print("  encoder     {:>13}  (a pooler of {} is not used)\n",
             with_commas(info.encoder_parameters), with_commas(info.pooler_parameters));
  for (int level = 1; info.memory && level <= 3; ++level) {
    fmt::print("  level {}     {:>13}\n", level, with_commas(info.memory->parameters_of_one_level));
  }
}

void add_info(CLI::App& model) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(model, "info", "What a model or encoder is: architecture, parameters, fingerprint",
               "memmatch model info models/default\n"
               "memmatch model info build/encoders/minilm --json");
  verb->add_option("MODEL", options->model,
                   "A model's or encoder's folder, or its .safetensors or .onnx file")
      ->type_name("PATH")
      ->required();
  verb->add_flag("--json", options->json, "As one object");
  verb->callback([options] {
    print_model(options->model, Model::open(options->model).info(), options->json);
  });
}

void add_export(CLI::App& model) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      model, "export",
      "Write a model for other programs: a plain Hugging Face folder with the encoder, and "
      "the memory layers in a file beside it",
      "memmatch model export models/default --out encoder/\n"
      "memmatch model export models/default --out encoder/ --storage fp16");
  verb->add_option("MODEL", options->model,
                   "A model's or encoder's folder, or its .safetensors or .onnx file")
      ->type_name("PATH")
      ->required();
  verb->add_option("--out", options->out, "The folder to make")->type_name("FOLDER")->required();
  add_save_options(*verb, options->save);
  verb->callback([options] {
    check_target(options->out, options->save.force);
    export_model(load_model(options->model), options->out, options->save);
    fmt::print(stderr, "wrote {}\n", options->out);
  });
}

void copy(const CopyOptions& options) {
  check_target(options.out, options.save.force);
  ModelData model = load_model(options.model);
  if (!options.word_credit.empty())
    std::ranges::copy(options.word_credit, model.search.word_credit.begin());
  if (options.first_alone) model.search.first_alone = *options.first_alone;
  save_model(model, options.out, options.save);
  print_model(options.out, Model::open(options.out).info(), false);
}

void add_copy(CLI::App& model) {
  auto options = std::make_shared<CopyOptions>();
  CLI::App* verb = add_verb(
      model, "copy",
      "Write a model again, such as in half the size. Numbers that are rounded make another model: "
      "it is to be calibrated, and its datastores indexed, anew",
      "memmatch model copy runs/minilm/best --out models/default --storage fp16\n"
      "memmatch model copy models/default --out models/plain --word-credit 0,0 --first-alone "
      "false");
  verb->add_option("MODEL", options->model, "A model's folder, or its .safetensors file")
      ->type_name("PATH")
      ->required();
  verb->add_option("--out", options->out, "The folder to make")->type_name("FOLDER")->required();
  add_save_options(*verb, options->save);
  verb->add_option("--word-credit", options->word_credit,
                   "How much nearer each letter of a word that it shares with the claim brings a "
                   "sentence in the rankings of levels 1 and 2; 0,0: by distance alone")
      ->delimiter(',')
      ->expected(2)
      ->check(CLI::Range(0.0, 1000.0))
      ->option_text("L1,L2 [as it was]");
  verb->add_option("--first-alone", options->first_alone,
                   "Whether level 3 also reads the first sentence of the evidence alone")
      ->option_text("true|false [as it was]");
  verb->callback([options] { copy(*options); });
}

void add_mean(CLI::App& model) {
  auto options = std::make_shared<MeanOptions>();
  CLI::App* verb = add_verb(
      model, "mean",
      "The mean of two models' numbers: of two that were trained from the same one it may be "
      "better than either",
      "memmatch model mean runs/one/best runs/two/best --out models/both\n"
      "memmatch model mean runs/one/best runs/two/best --weight 0.75 --out models/rather-one");
  verb->add_option("FIRST", options->first, "A model's folder")->type_name("FOLDER")->required();
  verb->add_option("SECOND", options->second, "Another's, of the same architecture")
      ->type_name("FOLDER")
      ->required();
  verb->add_option("--weight", options->weight, "Of the first model; the rest is the second's")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  verb->add_option("--out", options->out, "The folder to make")->type_name("FOLDER")->required();
  add_save_options(*verb, options->save);
  verb->callback([options] {
    check_target(options->out, options->save.force);
    const ModelData both =
        mean(load_model(options->first), load_model(options->second), options->weight);
    save_model(both, options->out, options->save);
    print_model(options->out, Model::open(options->out).info(), false);
  });
}

}  // namespace

void add_save_options(CLI::App& verb, SaveOptions& options) {
  const std::map<std::string, Storage> names{{"fp32", Storage::fp32}, {"fp16", Storage::fp16}};
  verb.add_option("--storage", options.storage, "How numbers are stored")
      ->transform(choice(names))
      ->option_text("fp32|fp16 [fp32]");
  verb.add_flag("--force", options.force, "Replace a model that is there already");
}

void print_model(const std::string& path, const ModelInfo& info, bool json) {
  json ? print_json(to_json(path, info)) : print_readable(path, info);
}

void add_model(CLI::App& program) {
  CLI::App* model = add_verb(program, "model", "Make, look into, copy and export models",
                             "memmatch model init --encoder bert-base-cased/ --out models/new\n"
                             "memmatch model info models/new");
  model->require_subcommand(1);
  add_model_init(*model);
  add_info(*model);
  add_copy(*model);
  add_mean(*model);
  add_export(*model);
}

}  // namespace memmatch::cli
