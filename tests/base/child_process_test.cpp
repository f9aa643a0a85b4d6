#include "base/child_process.h"

#include <gtest/gtest.h>

#include <csignal>

#include "support.h"

namespace memmatch {
namespace {

using End = ChildResult::End;

ChildResult shell(const std::string& script, const ChildLimits& limits = {},
                  std::string_view input = {}) {
  return run_limited("/bin/sh", {"-c", script}, input, limits);
}

TEST(ChildProcess, GetsItsInputAndGivesItsOutput) {
  const std::string much(300'000, 'x');
  const ChildResult result = shell("cat; echo oh >&2; exit 3", {}, much);
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.output, much);
  EXPECT_EQ(result.errors, "oh\n");
}

TEST(ChildProcess, TakesNoMoreTimeThanItMay) {
  EXPECT_EQ(shell("while :; do :; done", {.seconds = 1}).end, End::too_slow);
  EXPECT_EQ(shell("exec sleep 600", {.seconds = 1}).end, End::too_slow);
}

TEST(ChildProcess, TakesNoMoreMemoryThanItMay) {
  const ChildResult result =
      shell("head -c 200000000 /dev/zero | tail -n 1 | wc -c", {.memory = 64 << 20});
  EXPECT_EQ(result.output.find("200000000"), std::string::npos) << result.output;
}

TEST(ChildProcess, SaysNoMoreThanItMay) {
  EXPECT_EQ(shell("yes", {.output = 1 << 20}).end, End::too_much_output);
}

TEST(ChildProcess, WritesNoFiles) {
  const test::TemporaryFolder folder;
  shell("echo x > " + (folder / "file").string());
  EXPECT_TRUE(!std::filesystem::exists(folder / "file") ||
              std::filesystem::file_size(folder / "file") == 0);
}

TEST(ChildProcess, AProgramThatBreaksDownIsTold) {
  const ChildResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.end, End::killed);
  EXPECT_EQ(result.code, SIGSEGV);
}

TEST(ChildProcess, ProgramsAreFoundInThePath) {
  EXPECT_TRUE(find_program("sh").has_value());
  EXPECT_FALSE(find_program("no-such-program-anywhere").has_value());
}

}  // namespace
}  // namespace memmatch
