#pragma once

#include <span>
#include <vector>

#include "engine/encoder.h"
#include "engine/pool.h"
#include "model/model_files.h"
#include "model/sequences.h"

namespace memmatch::search {

// A model ready to run: texts become sequences, sequences become memory vectors.
class Network {
 public:
  // Throws Error(invalid_argument) where the model has no memory layers.
  Network(ModelData model, engine::Precision precision, int threads);

  const SequenceWriter& writer() const { return writer_; }
  // Of the model in the precision that it runs in, of its vectors, and of the model alone.
  const ContentHash& fingerprint() const { return fingerprint_; }
  const ContentHash& vector_fingerprint() const { return vector_fingerprint_; }
  const ContentHash& model_fingerprint() const { return model_fingerprint_; }
  // How the model is to be searched with.
  const SearchConfig& search() const { return model_.search; }
  std::size_t dimension() const { return dimension_; }

  // Sequences are collected, then encoded together: their vectors lie one after the other.
  void add(const Sequence& sequence) { batch_.add(sequence.tokens, sequence.words); }
  std::span<const float> encode(int level);

  // The same with the mean of the hidden states: sentence embeddings, mean_dimension() each.
  std::span<const float> encode_mean();
  std::size_t mean_dimension() const;

  // The same, and for each element of the vectors the token that gave it (see
  // engine::Worker::encode_traced). For a few sequences: it uses one thread.
  std::span<const std::int32_t> encode_traced(int level);

  // How long encode() has worked so far.
  double seconds() const { return seconds_; }

  // The i-th of the vectors that were encoded last.
  std::span<const float> vector(std::size_t i) const {
    return std::span(vectors_).subspan(i * dimension_, dimension_);
  }

  const text::WordPiece& tokenizer() const { return model_.tokenizer; }

 private:
  ModelData model_;  // its weights have gone to the engine
  ContentHash model_vector_fingerprint_;
  ContentHash model_fingerprint_;
  ContentHash fingerprint_;
  ContentHash vector_fingerprint_;
  SequenceWriter writer_;
  engine::Engine engine_;
  engine::WorkerPool pool_;
  std::size_t dimension_;
  engine::PackedBatch batch_;
  std::vector<float> vectors_;
  std::vector<std::int32_t> positions_;
  double seconds_ = 0;
};

}  // namespace memmatch::search
