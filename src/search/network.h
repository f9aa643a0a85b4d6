#pragma once

#include <span>
#include <vector>

#include "engine/encoder.h"
#include "engine/pool.h"
#include "model/model_files.h"
#include "model/sequences.h"

namespace memmatch::search {

// Sequences that go through the network together.
class Batch {
 public:
  // Gives the row that the sequence's vector will be.
  std::size_t add(const Sequence& sequence) {
    packed_.add(sequence.tokens, sequence.words);
    return rows() - 1;
  }

  std::size_t rows() const { return static_cast<std::size_t>(packed_.sequences()); }
  const engine::PackedBatch& packed() const { return packed_; }

 private:
  engine::PackedBatch packed_;
};

// What comes out of it: a vector for each sequence, one a row.
class Vectors {
 public:
  Vectors(std::size_t rows, std::size_t dimension)
      : rows_(rows), dimension_(dimension), values_(rows * dimension) {}

  std::size_t rows() const { return rows_; }
  std::span<const float> operator[](std::size_t row) const {
    return std::span(values_).subspan(row * dimension_, dimension_);
  }

  // All rows, one after the other.
  std::span<const float> values() const { return values_; }
  std::span<float> values() { return values_; }

 private:
  std::size_t rows_;
  std::size_t dimension_;
  std::vector<float> values_;
};

// Vectors with, for each of their elements, the token that gave it; see
// engine::Worker::encode_traced.
struct TracedVectors {
  Vectors vectors;
  std::vector<std::int32_t> tokens;  // as Vectors::values()
};

// A model ready to run: texts become sequences, sequences become memory vectors. It keeps nothing
// of a batch: what comes out of one does not depend on what came before it, or failed.
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

  // The memory vectors of a level. Throws Error(corrupt) where the model's numbers overflow, or
  // are so large that they, or the differences between them, cannot be kept as halves.
  Vectors encode(const Batch& batch, int level);

  // The same, traced. For a few sequences: it uses one thread.
  TracedVectors encode_traced(const Batch& batch, int level);

  // The means of the hidden states: sentence embeddings, of mean_dimension().
  Vectors encode_mean(const Batch& batch);
  std::size_t mean_dimension() const;

  // How long encode() has worked so far.
  double seconds() const { return seconds_; }

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
  double seconds_ = 0;
};

}  // namespace memmatch::search
