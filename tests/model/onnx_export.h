#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/onnx_writer.h"
#include "model/tiny_model.h"

namespace memmatch::test {

// A tiny encoder as PyTorch exports it: linear layers' matrices have lost their names and are
// transposed. What lies between the weights is left out of the graph.
class OnnxExport {
 public:
  OnnxExport() {
    visit_encoder(model_.weights.encoder,
                  [&](const std::string& name, const TensorShape& shape,
                      const std::vector<float>& values) { add(name, shape, values); });
    operators_.push_back({"Softmax", {"scores"}, {"attention"}});
    operators_.push_back({"Erf", {"inner"}, {"gelu"}});
  }

  std::string file() const { return onnx_file(operators_, tensors_); }

 protected:
  void add(const std::string& name, const TensorShape& shape, const std::vector<float>& values) {
    const std::string raw = raw_bytes(values);
    if (name.ends_with("_embeddings.weight")) {
      operators_.push_back({"Gather", {name, "ids"}, {name + "_rows"}});
    } else if (name.ends_with("LayerNorm.weight")) {
      operators_.push_back({"Mul", {"normal", name}, {name + "_product"}});
    } else if (name.ends_with(".bias")) {
      const std::string layer = name.substr(0, name.size() - 5);
      operators_.push_back({"Add", {name, layer + "_product"}, {layer + "_sum"}});
    } else {
      add_matrix(name, shape, values);
      return;
    }
    tensors_.push_back({name, shape, raw});
  }

  void add_matrix(const std::string& name, const TensorShape& shape,
                  const std::vector<float>& values) {
    const std::string lost = "onnx::MatMul_" + std::to_string(tensors_.size());
    const std::string layer = name.substr(0, name.size() - 7);
    std::vector<float> columns;
    for (std::size_t i = 0; i < shape[1]; ++i) {
      for (std::size_t row = 0; row < shape[0]; ++row)
        columns.push_back(values[row * shape[1] + i]);
    }
    tensors_.push_back({lost, {shape[1], shape[0]}, raw_bytes(columns)});
    operators_.push_back({"MatMul", {"states", lost}, {layer + "_product"}});
    matrices_[name] = lost;
  }

  ModelData model_ = tiny_model();
  std::vector<OnnxTensor> tensors_;
  std::vector<OnnxOperator> operators_;
  std::map<std::string, std::string> matrices_;  // lost names
};

}  // namespace memmatch::test
