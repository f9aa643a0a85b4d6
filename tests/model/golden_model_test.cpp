#include <gtest/gtest.h>

#include "base/files.h"
#include "base/hash.h"
#include "memmatch/model.h"
#include "model/initialize.h"
#include "model/model_files.h"
#include "support.h"

// A model of format version 1, written once and never again: what reads it today must read it in
// every later version.

namespace memmatch {
namespace {

TEST(GoldenModel, Version1IsReadAsItWasMeant) {
  const ModelData model = load_model(test::fixture("golden_model_v1"));
  EXPECT_EQ(model.weights.encoder.config.hidden, 8);
  EXPECT_EQ(model.weights.encoder.config.positions, 24);
  EXPECT_EQ(model.weights.encoder.word_embeddings.at(3), 0.1717059165239334f);
  EXPECT_EQ(model.weights.encoder.layers.at(0).output.bias.at(7), 0.39097097516059875f);
  const MemoryWeights& memory = model.weights.memory.value();
  EXPECT_EQ(memory.config.filters, 5);
  EXPECT_EQ(memory.config.lengths, (std::array<std::int64_t, 3>{6, 12, 18}));
  EXPECT_EQ(memory.levels[0].embeddings.at(4), -0.8622483015060425f);
  EXPECT_EQ(memory.levels[1].filters.weight.at(59), 0.15432217717170715f);
  EXPECT_EQ(memory.levels[2].filters.bias.at(0), -0.0690089762210846f);
  EXPECT_EQ(model.memory_vocabulary->entries.at(18).piece, "cat");
  EXPECT_FALSE(model.tokenizer.options().lowercase);
}

TEST(GoldenModel, Version1KeepsItsFingerprint) {
  const Model model = Model::open(test::fixture("golden_model_v1"));
  EXPECT_EQ(to_hex(model.info().fingerprint), "6f7cd96dff12498c017a3b56ca649e74");
}

TEST(GoldenModel, ItsFirstValuesAreStillMadeFromItsSeed) {
  const ModelData model = load_model(test::fixture("golden_model_v1"));
  const MemoryWeights& memory = model.weights.memory.value();
  const MemoryWeights again =
      initialize_memory(memory.config, model.weights.encoder.config, model.seed);
  for (std::size_t level = 0; level < 3; ++level) {
    EXPECT_EQ(again.levels[level].embeddings, memory.levels[level].embeddings);
    EXPECT_EQ(again.levels[level].filters.weight, memory.levels[level].filters.weight);
    EXPECT_EQ(again.levels[level].filters.bias, memory.levels[level].filters.bias);
  }
}

TEST(GoldenModel, Version1IsStillWrittenByteForByte) {
  const test::TemporaryFolder folder;
  const auto golden = test::fixture("golden_model_v1");
  save_model(load_model(golden), folder / "m", {});
  for (const auto& entry : std::filesystem::directory_iterator(golden)) {
    const auto name = entry.path().filename();
    EXPECT_EQ(read_file(entry.path()), read_file(folder / "m" / name)) << name;
  }
}

}  // namespace
}  // namespace memmatch
