#include "model/encoder_files.h"

#include <fmt/format.h>

#include <set>

#include "base/files.h"
#include "memmatch/error.h"
#include "model/onnx_bert.h"
#include "model/safetensors.h"
#include "model/tensor_names.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const TensorFile& file, ErrorKind kind, std::string_view message) {
  throw Error(kind, fmt::format("{}: {}", file.name(), message));
}

[[noreturn]] void refuse_pickle(const fs::path& file) {
  throw Error(ErrorKind::unsupported,
              fmt::format("{}: weights in PyTorch's own format are not read, since such a file can "
                          "run programs. Fetch model.safetensors from the same repository, or "
                          "convert it in Python: safetensors.torch.save_file(torch.load('{}', "
                          "weights_only=True), 'model.safetensors')",
                          file.string(), file.filename().string()));
}

fs::path find_weights(const fs::path& folder) {
  for (const char* name :
       {"model.safetensors", "model.fp16.safetensors", "onnx/model.onnx", "model.onnx"}) {
    if (path_exists(folder / name)) return folder / name;
  }
  if (path_exists(folder / "pytorch_model.bin")) refuse_pickle(folder / "pytorch_model.bin");
  if (path_exists(folder / "model.safetensors.index.json")) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: weights in several files are not supported; save the model again "
                            "as one model.safetensors",
                            (folder / "model.safetensors.index.json").string()));
  }
  throw Error(ErrorKind::not_found,
              fmt::format("{}: holds no model.safetensors, model.fp16.safetensors or model.onnx; "
                          "it must be the folder of a BERT in Hugging Face's layout",
                          folder.string()));
}

std::string shown(const fs::path& folder) { return folder.empty() ? "." : folder.string(); }

// Where the files that belong to weights may be: beside them, and for an ONNX file, which is often
// kept in a folder of its own, in the folder above.
std::vector<fs::path> folders_of(const fs::path& weights) {
  const fs::path folder = weights.parent_path();
  if (weights.extension() != ".onnx") return {folder};
  return {folder, (folder / "..").lexically_normal()};
}

fs::path find_near(const std::vector<fs::path>& folders, std::initializer_list<const char*> names,
                   const char* what) {
  for (const fs::path& folder : folders) {
    for (const char* name : names) {
      if (path_exists(folder / name)) return folder / name;
    }
  }
  const std::string above = folders.size() > 1 ? " and neither does the folder above" : "";
  throw Error(ErrorKind::not_found,
              fmt::format("{}: holds no {}{}; fetch it from where the weights came from",
                          shown(folders.front()), what, above));
}

// Old files call the two vectors of a layer norm gamma and beta.
std::string old_name(const std::string& name) {
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  if (ends("LayerNorm.weight")) return name.substr(0, name.size() - 6) + "gamma";
  if (ends("LayerNorm.bias")) return name.substr(0, name.size() - 4) + "beta";
  return name;
}

// Fills the arrays of a model from a file and remembers which tensors it has used.
class TensorReader {
 public:
  TensorReader(const TensorFile& file, std::string prefix)
      : file_(file), prefix_(std::move(prefix)) {}

  void operator()(const std::string& name, const TensorShape& shape, std::vector<float>& values) {
    const TensorInfo* tensor = file_.find(prefix_ + name);
    if (!tensor) tensor = file_.find(prefix_ + old_name(name));
    if (!tensor) {
      fail(file_, ErrorKind::corrupt,
           fmt::format("tensor '{}{}' is missing; config.json asks for one of shape {}", prefix_,
                       name, to_string(shape)));
    }
    if (tensor->shape != shape) {
      fail(file_, ErrorKind::corrupt,
           fmt::format("tensor '{}' has the shape {}, but config.json asks for {}", tensor->name,
                       to_string(tensor->shape), to_string(shape)));
    }
    values = file_.read(*tensor);
    used_.insert(tensor->name);
  }

  // Whatever else belongs to the encoder would be left out of the computation.
  void check_nothing_left(std::string_view part) const {
    for (const TensorInfo& tensor : file_.tensors()) {
      if (!tensor.name.starts_with(prefix_ + std::string(part)) || used_.contains(tensor.name) ||
          tensor.name.ends_with(".position_ids") || tensor.name.ends_with(".token_type_ids")) {
        continue;
      }
      fail(file_, ErrorKind::corrupt,
           fmt::format("tensor '{}' has no place in the network that config.json describes",
                       tensor.name));
    }
  }

 private:
  const TensorFile& file_;
  std::string prefix_;
  std::set<std::string, std::less<>> used_;
};

LinearWeights shape_linear(std::int64_t in, std::int64_t out) { return {in, out, {}, {}}; }

}  // namespace

EncoderWeights shape_weights(const EncoderConfig& config) {
  EncoderWeights weights;
  weights.config = config;
  weights.layers.resize(static_cast<std::size_t>(config.layers));
  for (EncoderLayerWeights& layer : weights.layers) {
    layer.query = shape_linear(config.hidden, config.hidden);
    layer.key = layer.value = layer.attention_output = layer.query;
    layer.intermediate = shape_linear(config.hidden, config.intermediate);
    layer.output = shape_linear(config.intermediate, config.hidden);
  }
  return weights;
}

MemoryWeights shape_weights(const MemoryConfig& memory, const EncoderConfig& encoder) {
  MemoryWeights weights;
  weights.config = memory;
  for (MemoryLevelWeights& level : weights.levels) {
    level.filters = shape_linear(memory.word_dimension + encoder.hidden, memory.filters);
  }
  return weights;
}

ModelPaths find_model_files(const fs::path& folder_or_file) {
  if (!path_exists(folder_or_file)) {
    throw Error(ErrorKind::not_found, folder_or_file.string() + ": no such folder or file");
  }
  ModelPaths paths;
  if (is_folder(folder_or_file)) {
    paths.weights = find_weights(folder_or_file);
  } else if (folder_or_file.extension() == ".safetensors" ||
             folder_or_file.extension() == ".onnx") {
    paths.weights = folder_or_file;
  } else if (folder_or_file.extension() == ".bin") {
    refuse_pickle(folder_or_file);
  } else {
    throw Error(ErrorKind::invalid_argument,
                folder_or_file.string() + ": neither a folder nor a .safetensors or .onnx file");
  }
  const std::vector<fs::path> folders = folders_of(paths.weights);
  paths.config = find_near(folders, {"config.json"}, "config.json");
  paths.tokenizer =
      find_near(folders, {"tokenizer.json", "vocab.txt"}, "tokenizer.json or vocab.txt");
  return paths;
}

text::WordPiece load_tokenizer(const fs::path& file, const EncoderConfig& config) {
  text::WordPiece tokenizer =
      file.extension() == ".json" ? load_tokenizer_json(file) : load_vocab_txt(file);
  if (tokenizer.vocabulary().size() > config.vocabulary) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: {} pieces, but config.json's 'vocab_size' is {}", file.string(),
                            tokenizer.vocabulary().size(), config.vocabulary));
  }
  for (const char* piece : {"[CLS]", "[SEP]"}) {
    if (tokenizer.vocabulary().find(piece)) continue;
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: the vocabulary has no piece {}", file.string(), piece));
  }
  return tokenizer;
}

TensorFile open_weights(const fs::path& file) {
  return file.extension() == ".onnx" ? open_onnx(file) : open_safetensors(file);
}

EncoderWeights read_encoder(const TensorFile& file, const EncoderConfig& config) {
  const bool prefixed = file.find("bert.embeddings.word_embeddings.weight") != nullptr;
  TensorReader reader(file, prefixed ? "bert." : "");
  EncoderWeights weights = shape_weights(config);
  visit_encoder(weights, std::ref(reader));
  reader.check_nothing_left("embeddings.");
  reader.check_nothing_left("encoder.");
  return weights;
}

MemoryWeights read_memory(const TensorFile& file, const MemoryConfig& memory,
                          const EncoderConfig& encoder) {
  TensorReader reader(file, "");
  MemoryWeights weights = shape_weights(memory, encoder);
  visit_memory(weights, std::ref(reader));
  reader.check_nothing_left("memory.");
  return weights;
}

}  // namespace memmatch
