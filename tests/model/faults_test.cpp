#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "faulty_calls.h"
#include "memmatch/model.h"
#include "model/model_files.h"
#include "model/onnx_export.h"
#include "support.h"

// For every n: the n-th look at a file, opening, read, mapping, write, sync, rename or allocation
// fails while a model is read or written. A model is refused, naming a file of it, or read as it
// is; a folder holds the old model or the new one.

namespace memmatch {
namespace {

namespace fs = std::filesystem;
using test::Call;
using test::FaultOutcome;
using test::for_every_fault;
using test::with_fault;

std::size_t open_files() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

constexpr auto kReading = {Call::look, Call::open, Call::read, Call::map, Call::memory};
// Without allocations: nlohmann's JSON values, of which config.json is made, need some to be
// destroyed.
constexpr auto kWriting = {Call::look, Call::open, Call::write, Call::sync, Call::rename};

void expect_named(const FaultOutcome& outcome, const fs::path& folder) {
  if (!outcome.error) return;
  EXPECT_NE(std::string(outcome.error->what()).find(folder.string()), std::string::npos)
      << outcome.error->what();
}

void try_loading(const fs::path& folder) {
  const ContentHash expected = fingerprint(load_model(folder));
  const std::size_t files = open_files();
  for_every_fault(kReading, 40, [&](Call call, int n, bool stays) {
    ContentHash hash{};
    const FaultOutcome outcome =
        with_fault(call, n, stays, [&] { hash = fingerprint(load_model(folder)); });
    if (outcome.done) {
      EXPECT_EQ(hash, expected);
    }
    expect_named(outcome, folder);
    EXPECT_EQ(open_files(), files);
    EXPECT_EQ(fingerprint(load_model(folder)), expected) << "afterwards";
    return outcome.fired;
  });
}

TEST(ModelFaults, WhileAModelIsRead) { try_loading(test::fixture("golden_model_v1")); }

// As others keep their encoders: weights of an ONNX export in a folder of its own, tokenizer.json.
TEST(ModelFaults, WhileAnOnnxExportIsRead) {
  const test::TemporaryFolder folder;
  ModelConfig config;
  config.encoder = test::tiny_encoder_config();
  folder.write("config.json", model_config_text(config));
  nlohmann::json vocabulary;
  const text::WordPiece tokenizer = test::tiny_tokenizer();
  for (std::int32_t id = 0; id < tokenizer.vocabulary().size(); ++id)
    vocabulary[tokenizer.vocabulary().piece(id)] = id;
  const nlohmann::json json = {
      {"added_tokens", {{{"id", 2}, {"content", "[CLS]"}, {"special", true}}}},
      {"normalizer",
       {{"type", "BertNormalizer"},
        {"clean_text", true},
        {"handle_chinese_chars", true},
        {"strip_accents", nullptr},
        {"lowercase", false}}},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"model",
       {{"type", "WordPiece"},
        {"unk_token", "[UNK]"},
        {"continuing_subword_prefix", "##"},
        {"max_input_chars_per_word", 100},
        {"vocab", vocabulary}}}};
  folder.write("tokenizer.json", json.dump());
  fs::create_directory(folder / "onnx");
  folder.write("onnx/model.onnx", test::OnnxExport().file());
  try_loading(folder.path());
}

TEST(ModelFaults, WhileAnExportedModelIsRead) {
  const test::TemporaryFolder folder;
  export_model(test::tiny_model(), folder / "m", {});
  try_loading(folder / "m");
}

using Save = void (*)(const ModelData&, const fs::path&, const SaveOptions&);

// The folder that was there, or none, is what a failed one leaves.
void try_saving(Save save, bool replaces) {
  const test::TemporaryFolder folder;
  const fs::path target = folder / "m";
  const ModelData model = test::tiny_model();
  ModelData other = model;
  other.weights.encoder.word_embeddings.at(9) += 1;
  other.weights.memory.reset();
  other.memory_vocabulary.reset();
  const auto saved = [&](const ModelData& what) {
    save(what, folder / "expected", {.force = true});
    return fingerprint(load_model(folder / "expected"));
  };
  const ContentHash before = saved(other);
  const ContentHash after = saved(model);
  for_every_fault(kWriting, 50, [&](Call call, int n, bool stays) {
    fs::remove_all(target);
    if (replaces) save(other, target, {});
    const FaultOutcome outcome =
        with_fault(call, n, stays, [&] { save(model, target, {.force = replaces}); });
    expect_named(outcome, folder.path());
    if (fs::exists(target)) {
      const ContentHash found = fingerprint(load_model(target));
      EXPECT_TRUE(found == after || (!outcome.done && replaces && found == before));
    } else {
      EXPECT_FALSE(outcome.done || replaces);
    }
    const std::size_t entries = entries_of(folder.path()).size();
    EXPECT_EQ(entries, fs::exists(target) ? 2u : 1u) << "something was left behind";
    return outcome.fired;
  });
}

TEST(ModelFaults, WhileAModelIsWritten) { try_saving(save_model, false); }
TEST(ModelFaults, WhileAModelIsReplaced) { try_saving(save_model, true); }
TEST(ModelFaults, WhileAModelIsExported) { try_saving(export_model, false); }

}  // namespace
}  // namespace memmatch
