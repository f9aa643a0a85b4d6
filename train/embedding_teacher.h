#pragma once

#include <filesystem>

#include "engine/pool.h"
#include "model/model_files.h"
#include "train/step_batch.h"

namespace memmatch::train {

// An encoder whose embeddings are to be kept (EmbeddingRecipe).
class EmbeddingTeacher {
 public:
  // Throws Error: those of load_model(), and invalid_argument where its vectors or its tokens are
  // not of the same kind as the model's.
  EmbeddingTeacher(const std::filesystem::path& encoder, const EncoderConfig& model, int workers);

  // Fills in what is wanted; the same whatever the number of workers.
  void teach(EmbeddingBatch& batch);

 private:
  engine::Engine engine_;
  engine::WorkerPool pool_;
};

}  // namespace memmatch::train
