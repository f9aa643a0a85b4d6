#include <gtest/gtest.h>

#include <cstdlib>

#include "process.h"

namespace memmatch {
namespace {

using test::Outcome;
using test::start_program;
using test::TemporaryFolder;

// A copy of the program in a folder where nothing is beside it, and another folder in PATH.
class TrainVerbTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(bin_ / "beside");
    std::filesystem::create_directory(bin_ / "in_path");
    std::filesystem::copy_file(MEMMATCH_PROGRAM, program_);
    old_path_ = std::getenv("PATH");
    setenv("PATH", ((bin_ / "in_path").string() + ":/usr/bin:/bin").c_str(), 1);
  }
  void TearDown() override { setenv("PATH", old_path_.c_str(), 1); }

  // A trainer that tells where it is and what it was given.
  void add_trainer(const std::string& folder) {
    const auto script = bin_.write(
        folder + "/memmatch-train",
        "#!/bin/sh\necho " + folder + "\nfor a in \"$@\"; do echo \"[$a]\"; done\nexit 7\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  }

  Outcome train(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "train");
    const TemporaryFolder folder;
    return wait_for(start_program(arguments, folder, "", program_), folder);
  }

  TemporaryFolder bin_;
  std::string program_ = bin_ / "beside/memmatch";
  std::string old_path_;
};

TEST_F(TrainVerbTest, BecomesTheTrainerWithAllArgumentsAsTheyAre) {
  add_trainer("in_path");
  const Outcome outcome = train({"--config", "a b.toml", "", "report", "--", "-x", "--version"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.out,
            "in_path\n[--config]\n[a b.toml]\n[]\n[report]\n[--]\n[-x]\n[--version]\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(train({}).out, "in_path\n");
}

TEST_F(TrainVerbTest, TheTrainerBesideTheProgramGoesFirstAndAnswersForHelp) {
  add_trainer("in_path");
  add_trainer("beside");
  EXPECT_EQ(train({"--help"}).out, "beside\n[--help]\n");
}

TEST_F(TrainVerbTest, WithoutATrainerSaysHowToBuildIt) {
  const Outcome outcome = train({"--config", "a.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("make trainer"), std::string::npos) << outcome.err;
}

TEST_F(TrainVerbTest, HelpIsNoFailureWithoutATrainer) {
  const Outcome outcome = train({"--help"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("Examples:\n")) << outcome.out;
  EXPECT_NE(outcome.out.find("make trainer"), std::string::npos) << outcome.out;
}

TEST_F(TrainVerbTest, ATrainerThatCannotBeStartedIsNamed) {
  const auto script = bin_.write("beside/memmatch-train", "no program");
  std::filesystem::permissions(script, std::filesystem::perms::owner_read);
  const Outcome outcome = train({});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("beside/memmatch-train: cannot start: "), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace memmatch
