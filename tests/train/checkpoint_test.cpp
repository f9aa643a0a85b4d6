#include "train/checkpoint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "base/files.h"
#include "base/hash.h"
#include "faulty_calls.h"
#include "model/tiny_model.h"
#include "tiny_world.h"

// The folder from which a run goes on: of today's format, read for ever; damaged at any byte;
// written and read while the system fails.

namespace memmatch::train {
namespace {

namespace fs = std::filesystem;
using test::Call;
using test::FaultOutcome;
using test::for_every_fault;
using test::TemporaryFolder;
using test::with_fault;

// A checkpoint with a little of everything, and `mark` to tell it by.
void save(const fs::path& run, int mark) {
  RunState state;
  state.stage = 1;
  state.step = mark;
  state.best_accuracy = 0.625;
  state.sums.losses = {0.5, 0.25, 0.125};
  const std::vector<Beam> beams{{{1, 2, 3}, {2, 1}}, {{}, {}}, {{7}, {7}}};
  ModelData model = test::tiny_model();
  model.weights.encoder.word_embeddings.at(9) = static_cast<float>(mark);
  save_checkpoint(run, model, state, beams,
                  {{"head.weight", torch::full({3, 2}, static_cast<float>(mark))},
                   {"adam.m", torch::full({}, 0.5)}});
}

// What is read of it, all in one text.
std::string read(const fs::path& run) {
  const Checkpoint checkpoint = load_checkpoint(run);
  const NamedState tensors{{"head.weight", torch::zeros({3, 2})}, {"adam.m", torch::zeros({})}};
  restore_tensors(run, tensors);
  std::string all = to_json(checkpoint.state).dump() + to_hex(fingerprint(checkpoint.model));
  for (const Beam& beam : checkpoint.beams)
    all += nlohmann::json::array({beam.level1, beam.level2}).dump();
  for (const auto& [name, tensor] : tensors)
    all += name + std::to_string(tensor.sum().item<float>());
  return all;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// --- A run that an earlier version began, of a model for which most words are unknown ---

TEST(GoldenRun, OfVersion1GoesOn) {
  const test::TinyWorld world;
  fs::copy(test::fixture("golden_run_v1"), world / "run", fs::copy_options::recursive);
  const Checkpoint checkpoint = load_checkpoint(world / "run");
  EXPECT_EQ(checkpoint.state.stage, 1);
  EXPECT_EQ(checkpoint.state.step, 8);
  EXPECT_EQ(checkpoint.state.batch, 2);
  EXPECT_EQ(checkpoint.beams.size(), 36u);
  const Recipe recipe = read_recipe(world / "run/config.toml", world.places());
  TrainOptions options = world.options("run");
  options.resume = true;
  const TrainOutcome outcome = train(recipe, options);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.steps, 12);
}

TEST(GoldenRun, KeepsItsFingerprint) {
  const ModelData model = load_model(test::fixture("golden_run_v1") / "checkpoint" / "model");
  EXPECT_EQ(to_hex(fingerprint(model)), "a56bba12c4c3c34ea4927eedefa85abc");
}

// --- Damage ---

class CheckpointDamageTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(run_);
    save(run_, 3);
    expected_ = read(run_);
  }

  // It is refused, naming a file of the run, or read as what it was.
  bool refused() {
    try {
      EXPECT_EQ(read(run_), expected_);
      return false;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(run_.string()), std::string::npos) << error.what();
      return true;
    }  // anything else fails the test
  }

  static void write(const fs::path& file, std::string_view content) {
    std::ofstream(file, std::ios::binary) << content;
  }

  TemporaryFolder folder_;
  fs::path run_ = folder_ / "run";
  std::string expected_;
};

// All bytes where MEMMATCH_EVERY_BYTE is set, else a sample that is the same every time.
TEST_F(CheckpointDamageTest, NoChangedByteIsTrainedOn) {
  const bool all = std::getenv("MEMMATCH_EVERY_BYTE") != nullptr;
  std::mt19937 random(12);
  for (const fs::path& file : files_of(run_)) {
    const std::string content = read_file(file);
    for (std::size_t at = 0; at < content.size(); ++at) {
      const auto change = static_cast<char>(1 + random() % 255);
      if (!all && at > 100 && random() % 20 != 0) continue;
      std::string changed = content;
      changed[at] ^= change;
      write(file, changed);
      const bool is_refused = refused();
      // Of the list of hashes, a space may be another one.
      EXPECT_TRUE(is_refused || file.filename() == "hashes.json") << file << " at " << at;
    }
    write(file, content);
  }
  EXPECT_FALSE(refused()) << "whole again";
}

TEST_F(CheckpointDamageTest, NoFileThatWasCutIsTrainedOn) {
  for (const fs::path& file : files_of(run_)) {
    const std::string content = read_file(file);
    const std::size_t step = std::max<std::size_t>(1, content.size() / 100);
    for (std::size_t size = 0; size < content.size(); size += step) {
      write(file, content.substr(0, size));
      const bool is_refused = refused();
      EXPECT_TRUE(is_refused || file.filename() == "hashes.json") << file << " of " << size;
    }
    write(file, content);
  }
  EXPECT_FALSE(refused()) << "whole again";
}

// --- Faults: the n-th call fails, for every n ---

bool names(const FaultOutcome& outcome, const fs::path& run) {
  return outcome.error &&
         std::string(outcome.error->what()).find(run.string()) != std::string::npos;
}

TEST(CheckpointFaults, WhileItIsRead) {
  const TemporaryFolder folder;
  const fs::path run = folder / "run";
  fs::create_directory(run);
  save(run, 3);
  const std::string expected = read(run);
  for_every_fault(
      {Call::look, Call::open, Call::read, Call::map}, 50, [&](Call call, int n, bool stays) {
        std::string found;
        const FaultOutcome outcome = with_fault(call, n, stays, [&] { found = read(run); });
        EXPECT_EQ(found, outcome.done ? expected : "");
        EXPECT_TRUE(outcome.done || names(outcome, run));
        EXPECT_EQ(read(run), expected) << "afterwards";
        return outcome.fired;
      });
}

TEST(CheckpointFaults, WhileItIsWritten) {
  const TemporaryFolder folder;
  const fs::path run = folder / "run";
  fs::create_directory(run);
  save(run, 4);
  const std::string after = read(run);
  save(run, 3);
  const std::string before = read(run);
  for_every_fault({Call::look, Call::open, Call::write, Call::sync, Call::rename}, 50,
                  [&](Call call, int n, bool stays) {
                    save(run, 3);
                    const FaultOutcome outcome = with_fault(call, n, stays, [&] { save(run, 4); });
                    EXPECT_TRUE(outcome.done || names(outcome, run));
                    EXPECT_TRUE(has_checkpoint(run));
                    const std::string found = read(run);
                    EXPECT_TRUE(found == after || (!outcome.done && found == before)) << found;
                    EXPECT_EQ(entries_of(run).size(), 1u) << "something was left behind";
                    return outcome.fired;
                  });
}

}  // namespace
}  // namespace memmatch::train
