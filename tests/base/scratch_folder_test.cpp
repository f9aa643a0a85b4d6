#include "base/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "base/files.h"
#include "support.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

// With a temporary folder of its own.
class ScratchFolderTest : public testing::Test {
 protected:
  ScratchFolderTest() { setenv("TMPDIR", folder_.path().c_str(), 1); }
  ~ScratchFolderTest() override { unsetenv("TMPDIR"); }

  std::size_t entries() const { return entries_of(folder_.path()).size(); }

  static void make_old(const fs::path& folder) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  test::TemporaryFolder folder_;
};

TEST_F(ScratchFolderTest, GoesWithTheObject) {
  {
    const ScratchFolder scratch;
    write_file_atomically(scratch.path() / "f", "content");
    EXPECT_EQ(entries(), 1u);
  }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(ScratchFolderTest, WhatAKilledProcessLeftGoesWithTheNext) {
  const pid_t child = fork();
  if (child == 0) {
    const ScratchFolder scratch;
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(entries(), 1u);
  { const ScratchFolder too_early; }
  EXPECT_EQ(entries(), 1u) << "it might have been about to be locked";
  make_old(entries_of(folder_.path())[0]);
  { const ScratchFolder next; }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(ScratchFolderTest, ThatOfALivingProcessStays) {
  const ScratchFolder old;
  make_old(old.path());
  fs::create_directory(folder_ / "memmatch-else");
  make_old(folder_ / "memmatch-else");
  const ScratchFolder next;
  EXPECT_EQ(entries(), 3u);
}

}  // namespace
}  // namespace memmatch
