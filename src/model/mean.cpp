#include "model/mean.h"

#include "memmatch/error.h"
#include "model/tensor_names.h"

namespace memmatch {
namespace {

// All arrays of numbers, in the same order for models of the same architecture.
template <typename Weights>
auto numbers_of(Weights& weights) {
  std::vector<decltype(&weights.encoder.word_embeddings)> numbers;
  const auto add = [&](const std::string&, const TensorShape&, auto& values) {
    numbers.push_back(&values);
  };
  visit_encoder(weights.encoder, add);
  if (weights.memory) visit_memory(*weights.memory, add);
  return numbers;
}

}  // namespace

ModelData mean(const ModelData& first, const ModelData& second, double weight) {
  if (!(weight >= 0 && weight <= 1))
    throw Error(ErrorKind::invalid_argument, "the weight of the first model must be from 0 to 1");
  if (architecture(first) != architecture(second))
    throw Error(ErrorKind::invalid_argument,
                "there is no mean of these models: they must have the same architecture and "
                "vocabularies; 'memmatch model info' shows both");
  ModelData result = first;
  const auto into = numbers_of(result.weights);
  const auto other = numbers_of(second.weights);
  for (std::size_t tensor = 0; tensor < into.size(); ++tensor) {
    std::vector<float>& values = *into[tensor];
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(weight * values[i] + (1 - weight) * (*other[tensor])[i]);
  }
  return result;
}

}  // namespace memmatch
