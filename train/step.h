#pragma once

#include <torch/torch.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "train/optimizers.h"
#include "train/step_batch.h"
#include "train/twin.h"

// One mini-batch's loss and gradients. The sequences are dealt to workers, which
// encode them and keep what is needed to go back; the losses of all levels are taken over all
// vectors together; then the workers carry the gradients of their vectors back to the weights. The
// shares and the order of sums depend on the batch and the number of workers only.

namespace memmatch::train {

// A plain classifier of claim and evidence on the encoder's [CLS], for training only.
struct HeadImpl : torch::nn::Module {
  explicit HeadImpl(std::int64_t hidden);
  torch::Tensor forward(const torch::Tensor& cls) { return classifier(cls); }
  torch::nn::Linear classifier{nullptr};
};
TORCH_MODULE(Head);

// Which weights a step is to change.
struct Trained {
  bool memory = false;
  bool encoder = false;
};

struct StepOptions {
  Trained trained;
  Arithmetic arithmetic = Arithmetic::fp32;  // of the encoder
  double dropout = 0;                        // of the encoder, where it is trained
  double level1_weight = 1;                  // of level 1's loss among the levels'
  double head_weight = 0;                    // of the head's loss beside the levels'
  double embedding_weight = 0;               // of the embeddings' loss beside all others
  std::uint64_t seed = 0;                    // of this step's dropout
  int workers = 1;
  int worker_threads = 1;  // OpenMP's, within a worker's operations
};

struct StepResult {
  double loss = 0;
  std::array<std::optional<double>, 3> losses;  // none for a level without pairs
  std::optional<double> head_loss;
  double head_accuracy = 0;
  std::optional<double> embedding_loss;  // mean of 1 - cosine; none where none are to be kept
  // Of the parameters that were asked for, in their order; undefined where none arose.
  std::vector<torch::Tensor> gradients;
};

// `parameters` must require gradients, and all others must not.
StepResult compute_step(Twin& twin, Head& head, const StepBatch& batch,
                        const std::vector<torch::Tensor>& parameters, const StepOptions& options);

}  // namespace memmatch::train
