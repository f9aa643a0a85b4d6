#include "train/step.h"

#include <omp.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/parallel.h"
#include "base/signals_wait.h"

namespace memmatch::train {
namespace {

using engine::PackedBatch;
using torch::Tensor;

// Three levels, the head and the embeddings.
constexpr std::size_t kParts = 5;
constexpr std::size_t kHead = 3;
constexpr std::size_t kEmbedding = 4;

// Runs job(0) … for all workers, each on a thread of its own.
void for_workers(const StepOptions& options, const std::function<void(std::size_t)>& job) {
  in_parallel(static_cast<std::size_t>(options.workers), [&](std::size_t worker) {
    const SignalsWait signals_wait;
    at::set_num_threads(options.worker_threads);
    omp_set_num_threads(options.worker_threads);
    job(worker);
  });
}

// A worker's sequences of one part.
struct Share {
  PackedBatch batch;
  std::vector<std::int64_t> rows;  // of the part's vectors
  Tensor vectors;                  // with their way back
};

using Shares = std::array<Share, kParts>;

const SequenceSet& sequences_of(const StepBatch& batch, std::size_t part) {
  static const SequenceSet kNone;
  if (part == kHead) return batch.head.sequences;
  if (part == kEmbedding) return batch.embedding.wanted.empty() ? kNone : batch.embedding.sequences;
  return batch.levels[part].sequences;
}

// Deals each part's sequences, longest first, to whoever has least to do.
std::vector<Shares> deal(const StepBatch& batch, int workers) {
  std::vector<Shares> shares(static_cast<std::size_t>(workers));
  std::vector<std::size_t> tokens(shares.size());
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::vector<Sequence>& sequences = sequences_of(batch, part).sequences();
    std::vector<std::size_t> order(sequences.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return sequences[a].tokens.size() > sequences[b].tokens.size();
    });
    for (const std::size_t i : order) {
      const auto worker =
          static_cast<std::size_t>(std::min_element(tokens.begin(), tokens.end()) - tokens.begin());
      tokens[worker] += sequences[i].tokens.size();
      Share& share = shares[worker][part];
      share.batch.add(sequences[i].tokens, sequences[i].words);
      share.rows.push_back(static_cast<std::int64_t>(i));
    }
  }
  return shares;
}

Tensor first_rows(const PackedBatch& batch, const Tensor& hidden) {
  const std::vector<std::int64_t> rows(batch.offsets.begin(), batch.offsets.end() - 1);
  return hidden.index_select(0, torch::tensor(rows).to(hidden.device()));
}

void encode(Twin& twin, Shares& shares, std::size_t worker, const StepOptions& options) {
  for (std::size_t part = 0; part < kParts; ++part) {
    Share& share = shares[part];
    if (share.rows.empty()) continue;
    Noise noise(mix_seed({options.seed, worker, part}), options.dropout);
    const std::int64_t depth =
        part >= kHead ? twin->encoder->config.layers : twin->depth(static_cast<int>(part) + 1);
    Tensor hidden;
    if (options.trained.encoder) {
      hidden = twin->encoder(share.batch, depth, &noise);
    } else {
      const torch::NoGradGuard no_grad;
      hidden = twin->encoder(share.batch, depth);
    }
    share.vectors = part == kHead        ? first_rows(share.batch, hidden)
                    : part == kEmbedding ? mean_of_sequences(share.batch, hidden)
                                         : twin->memory[part](share.batch, hidden);
  }
}

// A part's vectors of all workers in the batch's order, cut off from the way back.
Tensor gather(const std::vector<Shares>& shares, std::size_t part, std::size_t rows) {
  const torch::NoGradGuard no_grad;
  Tensor vectors;
  for (const Shares& worker : shares) {
    const Share& share = worker[part];
    if (share.rows.empty()) continue;
    if (!vectors.defined())
      vectors = torch::empty({static_cast<std::int64_t>(rows), share.vectors.size(1)},
                             share.vectors.options().requires_grad(false));
    vectors.index_copy_(0, torch::tensor(share.rows).to(vectors.device()), share.vectors.detach());
  }
  return vectors;
}

// The gradients that one worker's sequences give to the parameters.
std::vector<Tensor> carry_back(Shares& shares, const std::array<Tensor, kParts>& gradients,
                               const std::vector<Tensor>& parameters) {
  std::vector<Tensor> outputs, output_gradients;
  for (std::size_t part = 0; part < kParts; ++part) {
    Share& share = shares[part];
    if (share.rows.empty() || !gradients[part].defined() || !share.vectors.requires_grad())
      continue;
    outputs.push_back(share.vectors);
    const Tensor rows = torch::tensor(share.rows).to(gradients[part].device());
    output_gradients.push_back(gradients[part].index_select(0, rows));
  }
  if (outputs.empty()) return std::vector<Tensor>(parameters.size());
  return torch::autograd::grad(outputs, parameters, output_gradients, false, false, true);
}

// Undefined where there are no examples.
Tensor head_loss(Head& head, const HeadBatch& batch, const Tensor& vectors, StepResult& result) {
  if (batch.rows.empty()) return {};
  const torch::Device device = vectors.device();
  const Tensor labels = torch::tensor(batch.labels).to(device);
  const Tensor scores = head(vectors).index_select(0, torch::tensor(batch.rows).to(device));
  const Tensor loss = torch::nn::functional::cross_entropy(scores, labels);
  result.head_loss = loss.item<double>();
  result.head_accuracy = scores.argmax(1).eq(labels).to(torch::kFloat).mean().item<double>();
  return loss;
}

// Undefined where none are to be kept.
Tensor embedding_loss(const EmbeddingBatch& batch, const Tensor& vectors, StepResult& result) {
  if (batch.wanted.empty()) return {};
  const Tensor wanted = torch::tensor(batch.wanted).view(vectors.sizes()).to(vectors.device());
  const Tensor loss = 1 - torch::cosine_similarity(vectors, wanted, 1).mean();
  result.embedding_loss = loss.item<double>();
  return loss;
}

// The loss over all vectors, with each part's share of it noted in `result`.
Tensor total_loss(Head& head, const StepBatch& batch, const std::array<Tensor, kParts>& vectors,
                  const StepOptions& options, StepResult& result) {
  std::array<Tensor, 3> losses;
  for (std::size_t level = 0; level < losses.size(); ++level) {
    if (batch.levels[level].pairs.empty()) continue;
    losses[level] = batch.levels[level].loss(vectors[level]);
    result.losses[level] = losses[level].item<double>();
  }
  if (losses[0].defined()) losses[0] = losses[0] * options.level1_weight;
  Tensor loss = mean_over_levels(losses);
  const auto beside = [&](const Tensor& other, double weight) {
    if (other.defined()) loss = loss.defined() ? loss + other * weight : other;
  };
  beside(head_loss(head, batch.head, vectors[kHead], result), options.head_weight);
  beside(embedding_loss(batch.embedding, vectors[kEmbedding], result), options.embedding_weight);
  return loss;
}

void add(std::vector<Tensor>& sums, const std::vector<Tensor>& addends) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!addends[i].defined()) continue;
    if (sums[i].defined()) {
      sums[i] += addends[i];
    } else {
      sums[i] = addends[i];
    }
  }
}

}  // namespace

HeadImpl::HeadImpl(std::int64_t hidden) {
  classifier = register_module("classifier", torch::nn::Linear(hidden, 3));
}

StepResult compute_step(Twin& twin, Head& head, const StepBatch& batch,
                        const std::vector<Tensor>& parameters, const StepOptions& options) {
  std::vector<Shares> shares = deal(batch, options.workers);
  twin->encoder->arithmetic = options.arithmetic;
  for_workers(options, [&](std::size_t i) { encode(twin, shares[i], i, options); });

  StepResult result;
  result.gradients.resize(parameters.size());
  std::array<Tensor, kParts> vectors;
  for (std::size_t part = 0; part < kParts; ++part) {
    vectors[part] = gather(shares, part, sequences_of(batch, part).sequences().size());
    if (vectors[part].defined() && !parameters.empty()) vectors[part].requires_grad_();
  }
  const Tensor loss = total_loss(head, batch, vectors, options, result);
  if (!loss.defined()) return result;
  result.loss = loss.item<double>();
  if (parameters.empty()) return result;

  // From the loss to the vectors and the head, then by the workers to everything else.
  std::vector<Tensor> inputs = parameters;
  for (const Tensor& part : vectors)
    if (part.defined()) inputs.push_back(part);
  std::vector<Tensor> direct = torch::autograd::grad({loss}, inputs, {}, false, false, true);
  std::array<Tensor, kParts> vector_gradients;
  std::size_t next = parameters.size();
  for (std::size_t part = 0; part < kParts; ++part)
    if (vectors[part].defined()) vector_gradients[part] = direct[next++];
  add(result.gradients, direct);
  std::vector<std::vector<Tensor>> carried(shares.size());
  for_workers(options, [&](std::size_t i) {
    carried[i] = carry_back(shares[i], vector_gradients, parameters);
  });
  for (const std::vector<Tensor>& some : carried) add(result.gradients, some);
  return result;
}

}  // namespace memmatch::train
