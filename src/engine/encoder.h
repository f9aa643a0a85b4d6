#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/packed_batch.h"
#include "engine/precision.h"
#include "model/weights.h"

// Fast inference on CPUs. An Engine holds a model's weights; Workers, one for each thread, run it.
//
//   const Engine engine(load_model(path), Precision::int8);
//   Worker worker(engine);
//   PackedBatch batch;
//   batch.add(tokens, words);
//   std::vector<float> vectors(batch.sequences() * engine.dimension(Pooling::level1));
//   worker.encode(batch, Pooling::level1, vectors);
//
// A sequence's vector is the same, bit for bit, whatever else is in the batch, however large the
// batch is and however many workers share it.

namespace memmatch::engine {

// How the hidden states of a sequence become one vector.
enum class Pooling {
  mean,  // their mean, as sentence embeddings have it
  // The memory layer of a level: g = b + max(0, max over all tokens of W [word embedding ; hidden])
  level1,
  level2,
  level3,
};

struct PackedModel;
struct Hand;
class Team;

// The weights of a model, packed for the machine. Immutable: any number of threads may use one.
class Engine {
 public:
  // Throws Error(invalid_argument) where the arrays do not have the sizes the config gives, and
  // Error(unsupported) where oneDNN cannot run such a model.
  Engine(ModelWeights weights, Precision precision);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Elements of a vector. Throws Error(invalid_argument) for a level if the model has no memory.
  std::int64_t dimension(Pooling pooling) const;

  // Throws Error(invalid_argument), naming the sequence, unless all sequences can be encoded: at
  // least one token, no more than the encoder has positions, and all ids within the vocabularies;
  // and there is exactly the room for their vectors.
  void check(const PackedBatch& batch, Pooling pooling, std::span<const float> vectors) const;

  const EncoderConfig& config() const;
  Precision precision() const;
  std::size_t weight_bytes() const;

  const PackedModel& model() const { return *model_; }

 private:
  std::unique_ptr<PackedModel> model_;
};

// The working memory of one thread. After the first batches (which find out what sizes occur),
// nothing is allocated any more. Used by one thread at a time; the engine must outlive it.
class Worker {
 public:
  explicit Worker(const Engine& engine);
  ~Worker();
  Worker(Worker&&) noexcept;
  Worker& operator=(Worker&&) noexcept;

  // `vectors` is [sequences][dimension]. Throws as Engine::check(), and Error(corrupt) where the
  // model's numbers overflow: what is in a vector is finite.
  void encode(const PackedBatch& batch, Pooling pooling, std::span<float> vectors);

  // As encode(), of a level. `positions` has the vectors' shape and takes the token, counted within
  // its sequence, that gave each element: the first of equals, or -1 where none was above the bias.
  // Throws Error(invalid_argument) for the mean, which has no such tokens.
  void encode_traced(const PackedBatch& batch, Pooling pooling, std::span<float> vectors,
                     std::span<std::int32_t> positions);

  // Only the sequences with these numbers, whose vectors go to the same places as above. The batch
  // has been checked.
  void encode_some(const PackedBatch& batch, std::span<const std::int64_t> sequences,
                   Pooling pooling, std::span<float> vectors);

  // The same, together with the others of the team, whose leader this worker is. The model can be
  // split.
  void lead(Team& team, const PackedBatch& batch, std::span<const std::int64_t> sequences,
            Pooling pooling, std::span<float> vectors, std::span<std::int32_t> positions = {});

  // What of this worker is needed when another leads.
  Hand& hand();

  std::size_t workspace_bytes() const;

 private:
  class Run;

  const Engine* engine_;
  std::unique_ptr<Run> run_;
  std::vector<std::int64_t> sequences_;
};

}  // namespace memmatch::engine
