#include "train/new_model.h"

#include "data/claims.h"
#include "memmatch/datastore.h"
#include "model/initialize.h"
#include "search/training_texts.h"

namespace memmatch::train {
namespace {

MemoryVocabulary count_vocabulary(const Recipe& recipe, const text::WordPiece& tokenizer) {
  Datastore store = Datastore::open(recipe.data.store, Datastore::Access::read);
  MemoryVocabularyCounter counter(tokenizer);
  for (const std::string& file : recipe.data.train) {
    data::ClaimReader reader(file);
    for (data::Claim claim; reader.next(claim);) {
      counter.add_query(search::query_text(claim));
      if (claim.label) counter.add_support(search::support_text(claim, &store));
    }
  }
  return counter.finish(recipe.model.memory_vocabulary);
}

}  // namespace

ModelData new_model(const Recipe& recipe,
                    const std::function<void(const std::string&, bool)>& say) {
  ModelData model = load_model(recipe.model.start);
  if (model.weights.memory) return model;
  if (say) say("counting the pieces of the memory vocabulary", true);
  MemoryConfig memory;
  memory.filters = recipe.model.filters;
  memory.word_dimension = recipe.model.word_dimension;
  std::copy_n(recipe.model.lengths.begin(), 3, memory.lengths.begin());
  std::copy_n(recipe.model.level_layers.begin(), 3, memory.layers.begin());
  MemoryVocabulary vocabulary = count_vocabulary(recipe, model.tokenizer);
  add_memory(model, memory, std::move(vocabulary), recipe.seed);
  for (MemoryLevelWeights& level : model.weights.memory->levels)
    for (float& value : level.embeddings) value *= static_cast<float>(recipe.model.word_scale);
  return model;
}

}  // namespace memmatch::train
