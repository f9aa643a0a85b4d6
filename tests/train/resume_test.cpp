#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "cli/kills.h"
#include "cli/process.h"
#include "model/initialize.h"
#include "tiny_world.h"

// Runs that are stopped, thrown out or killed, and then resumed, end with the weights of a run that
// nobody disturbed, to the bit.

namespace memmatch::train {
namespace {

using test::Clock;
using test::expect_same_run;
using test::TinyWorld;

constexpr std::int64_t kSteps = 5 * 6;

bool is_step(const std::string& line) { return line.find(": step ") != std::string::npos; }

class ResumeTest : public testing::Test {
 protected:
  void SetUp() override {
    const TrainOutcome outcome = train(world_.short_recipe(), world_.options("whole"));
    ASSERT_TRUE(outcome.finished);
    ASSERT_EQ(outcome.steps, kSteps);
  }

  TinyWorld world_;
};

TEST_F(ResumeTest, EpochsOfEveryKindWereThere) {
  std::vector<std::string> kinds;
  for (const nlohmann::json& line : test::metrics_of_run(world_ / "whole"))
    if (line["event"] == "epoch") kinds.push_back(line["kind"]);
  EXPECT_EQ(kinds, (std::vector<std::string>{"warmup", "memory", "encoder", "memory", "joint"}));
}

TEST_F(ResumeTest, TheSameSeedGivesTheSameWeightsAndAnotherOthers) {
  train(world_.short_recipe(), world_.options("again"));
  expect_same_run(world_ / "again", world_ / "whole");
  train(world_.short_recipe({"seed=2"}), world_.options("other"));
  EXPECT_NE(read_file(world_ / "other/best/model.safetensors"),
            read_file(world_ / "whole/best/model.safetensors"));
}

// Asked to stop after one to five steps, again and again.
TEST_F(ResumeTest, AStoppedRunGoesOnAsIfNothingHadHappened) {
  Random random(4);
  int runs = 0;
  for (TrainOutcome outcome; !outcome.finished; ++runs) {
    ASSERT_LE(runs, kSteps);
    std::atomic<bool> stop = false;
    int left = 1 + static_cast<int>(random.uniform() * 5);
    TrainOptions options = world_.options("stopped");
    options.resume = runs > 0;
    options.checkpoint_steps = 0;
    options.stop = &stop;
    options.say = [&](const std::string& line, bool) {
      if (is_step(line) && --left == 0) stop = true;
    };
    const std::int64_t before = outcome.steps;
    outcome = train(world_.short_recipe(), options);
    EXPECT_TRUE(outcome.finished || outcome.steps > before);
  }
  EXPECT_GT(runs, 5);
  expect_same_run(world_ / "stopped", world_ / "whole");
}

TEST_F(ResumeTest, AFinishedRunGoesOnWithTheStagesThatWereAddedToItsRecipe) {
  Recipe shorter = world_.short_recipe();
  shorter.stages.pop_back();
  TrainOptions options = world_.options("in two");
  EXPECT_LT(train(shorter, options).steps, kSteps);
  options.resume = true;
  EXPECT_EQ(train(world_.short_recipe(), options).steps, kSteps);
  expect_same_run(world_ / "in two", world_ / "whole");
}

// Ended at any moment without a word: what was done since the last checkpoint is done again.
TEST_F(ResumeTest, ARunThatBreaksOffGoesOnFromItsLastCheckpoint) {
  struct BreakOff {};
  Random random(5);
  int breaks = 0;
  for (bool finished = false; !finished;) {
    ASSERT_LE(breaks, 100);
    int left = 3 + static_cast<int>(random.uniform() * 12);  // things said
    TrainOptions options = world_.options("broken");
    options.resume = breaks > 0;
    options.say = [&](const std::string&, bool) {
      if (--left == 0) throw BreakOff{};
    };
    try {
      finished = train(world_.short_recipe(), options).finished;
    } catch (const BreakOff&) {
      ++breaks;
    }
  }
  EXPECT_GT(breaks, 4);
  expect_same_run(world_ / "broken", world_ / "whole");
}

// Broken off in the search of the second epoch: the first one's steps are kept.
TEST_F(ResumeTest, AnEpochThatHasEndedIsKept) {
  struct BreakOff {};
  bool ended = false;
  TrainOptions options = world_.options("broken");
  options.checkpoint_steps = 0;
  options.say = [&](const std::string& line, bool) {
    if (ended) throw BreakOff{};
    ended = line.find("epoch 1 of") != std::string::npos;
  };
  EXPECT_THROW(train(world_.short_recipe(), options), BreakOff);
  const auto state = nlohmann::json::parse(read_file(world_ / "broken/checkpoint/state.json"));
  EXPECT_EQ(state["step"], 6);
  EXPECT_EQ(state["epoch"], 1) << "nothing of the next epoch was saved";
}

// Without learning there is no gain after the first epoch.
TEST_F(ResumeTest, AStageThatRanOutOfPatienceStaysEnded) {
  struct BreakOff {};
  const Recipe recipe = world_.short_recipe(
      {"stage.2.patience=1", "stage.2.memory_rate=0", "stage.2.encoder_rate=0"});
  TrainOptions options = world_.options("stale");
  options.say = [&](const std::string& line, bool) {
    if (line.find("no gain on dev") != std::string::npos) throw BreakOff{};
  };
  EXPECT_THROW(train(recipe, options), BreakOff);
  options.say = {};
  options.resume = true;
  EXPECT_TRUE(train(recipe, options).finished);
  std::vector<int> stages;
  for (const nlohmann::json& line : test::metrics_of_run(world_ / "stale"))
    if (line["event"] == "epoch") stages.push_back(line["stage"]);
  EXPECT_EQ(stages, (std::vector<int>{1, 2, 2, 3}));
}

// The program itself, with settings as a user gives them.
class KillTest : public ResumeTest {
 protected:
  pid_t start(bool resume, const test::TemporaryFolder& scratch) {
    std::vector<std::string> arguments{"--run",
                                       run_,
                                       "--threads",
                                       "1",
                                       "--checkpoint-minutes",
                                       "0.00001",
                                       "--config",
                                       world_.write_short_recipe()};
    for (const std::string& place : world_.places()) {
      arguments.push_back("--set");
      arguments.push_back(place);
    }
    if (resume) arguments.push_back("--resume");
    return test::start_program(arguments, scratch, "", MEMMATCH_TRAIN_PROGRAM);
  }

  std::int64_t steps_of_checkpoint() const {
    const std::filesystem::path state = run_ / "checkpoint" / "state.json";
    return path_exists(state) ? nlohmann::json::parse(read_file(state))["step"].get<int>() : 0;
  }

  bool has_config() const { return std::filesystem::exists(run_ / "config.toml"); }

  std::filesystem::path run_ = world_ / "killed";
};

TEST_F(KillTest, AKilledRunGoesOnFromItsLastCheckpoint) {
  const Clock::time_point begin = Clock::now();
  {
    const test::TemporaryFolder scratch;
    const test::Outcome outcome = test::wait_for(start(false, scratch), scratch);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_same_run(run_, world_ / "whole");
    std::filesystem::remove_all(run_);
  }
  const Clock::duration life = Clock::now() - begin;
  std::int64_t journal = 0;  // steps that a checkpoint has
  test::kill_again_and_again(
      life,
      [&](Clock::duration delay) {
        const bool resumes = has_config();
        const test::TemporaryFolder scratch;
        const pid_t child = start(resumes, scratch);
        std::this_thread::sleep_for(delay);
        kill(child, SIGKILL);
        const test::Outcome outcome = test::wait_for(child, scratch);
        if (outcome.code == 0) {
          expect_same_run(run_, world_ / "whole");
          std::filesystem::remove_all(run_);
          journal = 0;
          return false;
        }
        EXPECT_EQ(outcome.code, 128 + SIGKILL) << outcome.err;
        const std::int64_t steps = steps_of_checkpoint();
        EXPECT_GE(steps, journal);
        return std::exchange(journal, steps) < steps;
      },
      test::kill_rounds(4));
  const test::TemporaryFolder scratch;
  const test::Outcome outcome = test::wait_for(start(has_config(), scratch), scratch);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_same_run(run_, world_ / "whole");
  for (const auto& entry : std::filesystem::directory_iterator(run_))
    EXPECT_NE(entry.path().filename().string()[0], '.') << entry.path() << " was left behind";
}

TEST_F(KillTest, ASignalStopsTheRunAfterACheckpoint) {
  {
    const test::TemporaryFolder scratch;
    const pid_t child = start(false, scratch);
    while (size_or_zero(run_ / "metrics.jsonl") < 1000 && kill(child, 0) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(child, SIGTERM);
    const test::Outcome outcome = test::wait_for(child, scratch);
    EXPECT_EQ(outcome.code, 128 + SIGTERM);
    EXPECT_NE(outcome.err.find("--resume"), std::string::npos) << outcome.err;
  }
  const test::TemporaryFolder scratch;
  ASSERT_EQ(test::wait_for(start(true, scratch), scratch).code, 0);
  expect_same_run(run_, world_ / "whole");
}

}  // namespace
}  // namespace memmatch::train
