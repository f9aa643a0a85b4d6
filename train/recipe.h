#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

// A training run as a TOML file says it. docs/training.md explains every field; the recipes in
// recipes/ are examples.

namespace memmatch::train {

struct DataRecipe {
  std::string store;               // the datastore that has the evidence
  std::vector<std::string> train;  // claim files
  std::string dev;                 // claims that checkpoints are chosen by
  std::int64_t dev_claims = 0;     // so many of them, drawn at random; 0 is all
  double unverifiable_share = 0;   // draw unverifiable claims so often; 0: as they come
  std::string precision = "int8";  // of the searches; or fp32
};

// A file of claims that bring their evidence, {claim, evidence, label}.
struct SourceRecipe {
  std::string file;
  double weight = 1;  // how often it is drawn from, beside the other sources' weights
};

struct ModelRecipe {
  std::string start;  // a model with memory layers to go on from, or an encoder
  std::int64_t filters = 1000;
  std::int64_t word_dimension = 300;
  std::int64_t memory_vocabulary = 7500;
  std::vector<std::int64_t> lengths = {50, 100, 150};
  std::vector<std::int64_t> level_layers = {0, 0, 0};  // that each level reads; 0: all
  double word_scale = 1;  // factor of the word embeddings' first values
};

struct MemoryRecipe {
  std::string optimizer = "adadelta";  // or adam
  double learning_rate = 1.0;
  bool decay = false;    // down to 0 over the stage, as the encoder's
  double clip_norm = 3;  // of all gradients together; 0: none
};

struct EncoderRecipe {
  double learning_rate = 2e-5;
  double warm_up = 0.1;  // part of the stage's steps
  double weight_decay = 0.01;
  double dropout = 0.1;
  bool freeze_embeddings = false;
  std::string arithmetic = "fp32";  // of the steps; or bf16, or auto: bf16 where it is fast
};

struct PairsRecipe {
  std::int64_t level1_negatives = 1;  // hard negatives of a claim
  std::int64_t level2_negatives = 1;
  std::int64_t in_batch_negatives = 0;  // at level 1, the evidence of other claims
  double head_weight = 0;               // of the helper loss of a three-way head
  double title_noise = 0;  // part of the sources' examples that lose their title or get another
};

// Keeps the encoder's embeddings of plain texts like those of another encoder, mostly the one that
// the run starts from: whatever else it learns would spoil them.
struct EmbeddingRecipe {
  std::string like;     // an encoder with the same tokeniser; none: nothing is kept
  double weight = 0.5;  // in the loss, of the mean of 1 - cosine
};

struct StageRecipe {
  std::string kind = "match";  // or warmup: the three-way head alone
  std::int64_t epochs = 15;
  std::int64_t claims = 0;            // of an epoch; 0: all
  std::int64_t batch = 9;             // claims of a mini-batch
  std::string updates = "alternate";  // memory layers, encoder, …; or joint, memory, encoder
  std::int64_t encoder_epochs = 6;    // with alternate: the most
  std::vector<std::int64_t> levels = {1, 2, 3};  // that it trains
  std::string level1_start = "kept";             // or words: first values that match words
  std::string level1_loss = "matching";          // or ranking
  std::int64_t level1_negatives = 0;             // 0: as many as [pairs] says
  double level1_weight = 1;                      // of level 1's loss among the levels'
  std::int64_t freeze_layers = 0;                // the lowest of the encoder stay as they are
  double memory_rate = 1;                        // factor of memory.learning_rate
  double encoder_rate = 1;                       // factor of encoder.learning_rate
  std::int64_t k1 = 10;
  std::int64_t z = 3;
  bool reference = true;         // the annotated evidence, too, is evidence to learn from
  std::string search = "model";  // where beams come from; overlap: shared words, no model
  std::int64_t patience = 4;     // epochs without gain before the stage ends; 0: never
  bool from_best = false;        // start from the best checkpoint so far
  double withheld_share = 0;     // part of the verifiable claims, seen without their evidence
  double pairs_share = 0;        // part of the examples that come from the sources
};

bool trains_level(const StageRecipe& stage, int level);

struct Recipe {
  std::uint64_t seed = 1776;
  DataRecipe data;
  ModelRecipe model;
  MemoryRecipe memory;
  EncoderRecipe encoder;
  PairsRecipe pairs;
  EmbeddingRecipe embedding;
  std::vector<SourceRecipe> sources;
  std::vector<StageRecipe> stages;
};

// Reads a recipe, then applies settings such as "encoder.dropout=0" or "stage.2.epochs=3". Throws
// Error naming file, line and key of what it does not know or cannot use.
Recipe read_recipe(const std::filesystem::path& file, std::span<const std::string> settings);

// The whole of a recipe as a file that read_recipe reads.
std::string to_toml(const Recipe& recipe);

// Throws Error(invalid_argument) naming the key that makes no sense.
void check(const Recipe& recipe);

}  // namespace memmatch::train
