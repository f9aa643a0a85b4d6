#include "model/onnx_bert.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "memmatch/error.h"

namespace memmatch {
namespace {

// What exports of BERT consist of, from PyTorch 2.0 to 2.10; poolers bring Gemm and Tanh. Operators
// that only other networks need must not be among them.
constexpr std::string_view kOperators[] = {"Add",
                                           "Cast",
                                           "Concat",
                                           "Constant",
                                           "ConstantOfShape",
                                           "Div",
                                           "Equal",
                                           "Erf",
                                           "Expand",
                                           "Gather",
                                           "Gemm",
                                           "LayerNormalization",
                                           "MatMul",
                                           "Mul",
                                           "Pow",
                                           "ReduceMean",
                                           "Reshape",
                                           "Shape",
                                           "Slice",
                                           "Softmax",
                                           "Sqrt",
                                           "Sub",
                                           "Tanh",
                                           "Transpose",
                                           "Unsqueeze",
                                           "Where"};

// The encoder's parts; then what is built upon it for other tasks, which is left out.
constexpr std::string_view kEncoderParts[] = {"embeddings.", "encoder."};
constexpr std::string_view kHeads[] = {"pooler.", "cls.", "classifier.", "qa_outputs."};

// The operators that a tensor of the encoder may go into, by the end of its name. The matrix of a
// linear layer that has kept its name is transposed by the graph; heads that predict words
// transpose the word embeddings.
struct Use {
  std::string_view name_end;
  std::vector<std::string_view> operators;
};
const std::vector<Use>& uses() {
  static const std::vector<Use> table = {{"_embeddings.weight", {"Gather", "Transpose"}},
                                         {"LayerNorm.weight", {"Mul", "LayerNormalization"}},
                                         {"LayerNorm.bias", {"Add", "LayerNormalization"}},
                                         {".bias", {"Add"}},
                                         {".weight", {"Transpose"}}};
  return table;
}

template <typename Range>
bool starts_with_any(std::string_view name, const Range& parts) {
  if (name.starts_with("bert.")) name.remove_prefix(5);
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return name.starts_with(part); });
}

bool of_encoder(std::string_view name) { return starts_with_any(name, kEncoderParts); }

class BertNames {
 public:
  BertNames(const OnnxGraph& graph, std::string_view where) : graph_(graph), where_(where) {
    for (const TensorInfo& tensor : graph.tensors) tensors_.emplace(tensor.name, &tensor);
    for (const OnnxNode& node : graph.nodes) {
      check_operator(node);
      note_uses(node);
    }
  }

  std::vector<TensorInfo> tensors() const {
    std::vector<TensorInfo> named;
    for (const OnnxNode& node : graph_.nodes) {
      if (const TensorInfo* factor = factor_of(node)) named.push_back(name_factor(*factor, node));
    }
    for (const TensorInfo& tensor : graph_.tensors) {
      if (factors_.contains(tensor.name)) continue;
      check_use(tensor);
      named.push_back(tensor);
    }
    for (const TensorInfo& tensor : named) check_place(tensor);
    check_layers(named);
    sort_by_name(named, where_);
    return named;
  }

 private:
  [[noreturn]] void refuse(std::string_view message) const {
    throw Error(ErrorKind::unsupported, fmt::format("{}: not a plain BERT: {}", where_, message));
  }

  const TensorInfo* find(std::string_view name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : found->second;
  }

  void check_operator(const OnnxNode& node) const {
    const bool own = node.domain.empty() || node.domain == "ai.onnx";
    const bool known = std::find(std::begin(kOperators), std::end(kOperators), node.operation) !=
                       std::end(kOperators);
    if (own && known) return;
    refuse(
        fmt::format("operator '{}{}{}' of node '{}'; only exports that are neither quantised nor "
                    "optimised for a runtime are read",
                    node.domain, own ? "" : ".", node.operation, node.name));
  }

  // The initialiser that a MatMul multiplies by, from the right; null for other nodes.
  const TensorInfo* factor_of(const OnnxNode& node) const {
    if (node.operation != "MatMul" || node.inputs.size() != 2 || node.outputs.size() != 1)
      return nullptr;
    return find(node.inputs[1]);
  }

  void note_uses(const OnnxNode& node) {
    const TensorInfo* factor = factor_of(node);
    if (factor && !factors_.insert(factor->name).second)
      refuse(fmt::format("tensor '{}' is multiplied by twice", factor->name));
    for (const std::string_view input : node.inputs) {
      const TensorInfo* tensor = find(input);
      if (tensor && tensor != factor) operators_[tensor->name].insert(node.operation);
    }
    if (node.operation == "Add" && node.inputs.size() == 2) {
      note_bias(node.inputs[0], node.inputs[1]);
      note_bias(node.inputs[1], node.inputs[0]);
    }
  }

  void note_bias(std::string_view bias, std::string_view sum) {
    const TensorInfo* tensor = find(bias);
    if (!tensor || !tensor->name.ends_with(".bias")) return;
    if (!biases_.emplace(sum, tensor->name).second)
      refuse(fmt::format("two biases are added to '{}', one of them '{}'", sum, bias));
  }

  TensorInfo name_factor(const TensorInfo& factor, const OnnxNode& product) const {
    const auto bias = biases_.find(product.outputs[0]);
    if (bias == biases_.end()) {
      refuse(
          fmt::format("tensor '{}' is multiplied by without a bias that would tell which weight "
                      "it is (node '{}')",
                      factor.name, product.name));
    }
    TensorInfo named = factor;
    const std::string_view layer = bias->second.substr(0, bias->second.size() - 5);  // ".bias"
    named.name = fmt::format("{}.weight", layer);
    if (factor.shape.size() != 2) {
      refuse(fmt::format("tensor '{}', which stands for '{}', has the shape {}", factor.name,
                         named.name, to_string(factor.shape)));
    }
    std::swap(named.shape[0], named.shape[1]);
    named.transposed = true;
    return named;
  }

  // The same numbers in another place would be another network.
  void check_use(const TensorInfo& tensor) const {
    if (!of_encoder(tensor.name)) return;
    const auto use = std::find_if(uses().begin(), uses().end(), [&](const Use& candidate) {
      return tensor.name.ends_with(candidate.name_end);
    });
    if (use == uses().end()) return;
    const auto found = operators_.find(tensor.name);
    if (found == operators_.end())
      refuse(fmt::format("tensor '{}' goes into no operator", tensor.name));
    for (const std::string_view operation : found->second) {
      if (std::find(use->operators.begin(), use->operators.end(), operation) !=
          use->operators.end())
        continue;
      refuse(fmt::format("tensor '{}' goes into the operator '{}'; {} is expected", tensor.name,
                         operation, fmt::join(use->operators, " or ")));
    }
  }

  // A vector or matrix of which nobody knows what it is for cannot be left out.
  void check_place(const TensorInfo& tensor) const {
    if (tensor.type == TensorType::other || tensor.elements <= 1) return;
    if (of_encoder(tensor.name) || starts_with_any(tensor.name, kHeads)) return;
    refuse(fmt::format("tensor '{}' of shape {} has no place in it", tensor.name,
                       to_string(tensor.shape)));
  }

  // Attention has a softmax in each layer, and GELU, as BERT has it, the error function.
  void check_layers(const std::vector<TensorInfo>& named) const {
    const auto layers = std::count_if(named.begin(), named.end(), [](const TensorInfo& tensor) {
      return of_encoder(tensor.name) && tensor.name.ends_with(".intermediate.dense.bias");
    });
    for (const std::string_view operation : {"Softmax", "Erf"}) {
      const auto found =
          std::count_if(graph_.nodes.begin(), graph_.nodes.end(),
                        [&](const OnnxNode& node) { return node.operation == operation; });
      if (found >= layers) continue;
      refuse(fmt::format("{} layers, but {} operators '{}'", layers, found, operation));
    }
  }

  const OnnxGraph& graph_;
  std::string_view where_;
  std::map<std::string_view, const TensorInfo*> tensors_;
  std::set<std::string_view> factors_;
  std::map<std::string_view, std::set<std::string_view>> operators_;  // that a tensor goes into
  std::map<std::string_view, std::string_view> biases_;               // by what they are added to
};

}  // namespace

std::vector<TensorInfo> parse_onnx_bert(std::span<const std::byte> file, std::string_view where) {
  return BertNames(parse_onnx(file, where), where).tensors();
}

TensorFile open_onnx(const std::filesystem::path& path) { return {path, parse_onnx_bert}; }

}  // namespace memmatch
