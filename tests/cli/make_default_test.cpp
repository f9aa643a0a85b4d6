#include <gtest/gtest.h>

#include <sstream>

#include "base/files.h"
#include "process.h"

// recipes/make-default with a program that only notes what it is asked for.

namespace memmatch {
namespace {

using test::Outcome;
using test::TemporaryFolder;

class MakeDefaultTest : public testing::Test {
 protected:
  // Makes the folders that the script looks for. The training run named in `stops_in` is stopped.
  void write_program(const std::string& stops_in = "") {
    folder_.write("program", R"(#!/bin/sh
echo "$*" >>)" + log() + R"(
while [ $# -gt 0 ]; do
  case $1 in
    --run) run=$2 ;;
    --out) mkdir -p "$2" ;;
  esac
  shift
done
[ -n "${run:-}" ] || exit 0
mkdir -p "$run/latest"
touch "$run/config.toml"
[ "${run##*/}" != ')" + stops_in +
                                 R"(' ] || exit 143
)");
    std::filesystem::permissions(folder_ / "program", std::filesystem::perms::owner_all);
  }

  int make(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), folder_ / "runs");
    setenv("MEMMATCH", (folder_ / "program").c_str(), 1);
    const TemporaryFolder output;
    const Outcome outcome = test::wait_for(
        test::start_program(arguments, output, "", MEMMATCH_SOURCE_DIR "/recipes/make-default"),
        output);
    unsetenv("MEMMATCH");
    return outcome.code;
  }

  // What the program was asked for since the last time, a line each: the verb, and for `train` the
  // run and whether it was resumed.
  std::vector<std::string> asked() {
    std::vector<std::string> calls;
    std::istringstream lines(read_file(log()));
    for (std::string line; std::getline(lines, line);) calls.push_back(brief(line));
    std::filesystem::remove(log());
    return calls;
  }

  std::string log() const { return folder_ / "log"; }

  TemporaryFolder folder_;

 private:
  static std::string brief(const std::string& line) {
    std::istringstream words(line);
    std::string call;
    words >> call;
    for (std::string word; words >> word;) {
      if (word == "--run") {
        words >> word;
        call += " " + std::filesystem::path(word).filename().string();
      }
      if (word == "--resume" || word == "copy" || word.starts_with("seed=")) call += " " + word;
    }
    return call;
  }
};

TEST_F(MakeDefaultTest, GoesTheWholeWayAndRepeatsOnlyWhatIsCheap) {
  write_program();
  ASSERT_EQ(make(), 0);
  EXPECT_EQ(asked(), (std::vector<std::string>{"train gte-small", "model copy", "calibrate",
                                               "calibrate", "import", "exemplars"}));
  ASSERT_EQ(make(), 0);
  EXPECT_EQ(asked(), (std::vector<std::string>{"train gte-small --resume", "calibrate", "calibrate",
                                               "import", "exemplars"}))
      << "this program calibrates nothing";
}

TEST_F(MakeDefaultTest, AFolderWithoutARunIsBegun) {  // killed before it had written anything
  write_program("gte-small");
  std::filesystem::create_directories(folder_ / "runs" / "gte-small");
  EXPECT_EQ(make(), 143);
  EXPECT_EQ(asked(), (std::vector<std::string>{"train gte-small"}));
}

TEST_F(MakeDefaultTest, ARunThatWasStoppedIsNotBuiltUpon) {
  write_program("gte-small");
  EXPECT_EQ(make(), 143);
  EXPECT_EQ(make(), 143);
  EXPECT_EQ(asked(), (std::vector<std::string>{"train gte-small", "train gte-small --resume"}));
}

TEST_F(MakeDefaultTest, AnotherSeedGoesToTheRun) {
  write_program("gte-small");
  EXPECT_EQ(make({"2024"}), 143);
  EXPECT_EQ(asked(), (std::vector<std::string>{"train gte-small seed=2024"}));
}

}  // namespace
}  // namespace memmatch
