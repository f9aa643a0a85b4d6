#include "base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>

#include "base/files.h"
#include "base/mapped_file.h"
#include "support.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, AppearsWithCommitAndReplacesTheOldOne) {
  const test::TemporaryFolder folder;
  folder.write("f", "old");
  {
    AtomicFile file(folder / "f");
    file.write("new ");
    file.write("content");
    EXPECT_EQ(read_file(folder / "f"), "old");
    file.commit();
  }
  EXPECT_EQ(read_file(folder / "f"), "new content");
  EXPECT_EQ(entries(folder / ""), 1u);
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const test::TemporaryFolder folder;
  { AtomicFile(folder / "f").write("half of i"); }
  EXPECT_EQ(entries(folder / ""), 0u);
}

TEST(AtomicFile, SaysWhereItCannotWrite) {
  const test::TemporaryFolder folder;
  const Error error = test::error_of([&] { AtomicFile(folder / "no/such/folder"); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_NE(std::string(error.what()).find("no/such/folder"), std::string::npos);
}

TEST(AtomicFile, FollowsLinks) {
  const test::TemporaryFolder folder;
  folder.write("f", "old");
  fs::create_symlink(folder / "f", folder / "link");
  fs::create_symlink(folder / "not yet", folder / "dangling");
  write_file_atomically(folder / "link", "new");
  write_file_atomically(folder / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(read_file(folder / "f"), "new");
  EXPECT_EQ(read_file(folder / "not yet"), "made");
}

TEST(AtomicFile, NeverReplacesADeviceOrAPipe) {
  const test::TemporaryFolder folder;
  // A null device of our own, where that may be made: a mistake must not reach the machine's.
  const fs::path null = folder / "null";
  const bool made = mknod(null.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0;
  if (made && std::ofstream(null)) {
    write_file_atomically(null, "gone");
    EXPECT_TRUE(fs::is_character_file(null));
  }
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink(pipe, folder / "link");
  const int end = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomically(folder / "link", "through the pipe");
  char received[100] = {};
  EXPECT_EQ(read(end, received, sizeof received), 16);
  close(end);
  EXPECT_STREQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(AtomicFolder, AppearsWithAllItsFiles) {
  const test::TemporaryFolder folder;
  {
    AtomicFolder target(folder / "m/");
    write_file_atomically(target.path() / "a", "1");
    EXPECT_FALSE(fs::exists(folder / "m"));
    target.commit(false);
  }
  EXPECT_EQ(read_file(folder / "m/a"), "1");
  EXPECT_EQ(entries(folder / ""), 1u);
}

TEST(AtomicFolder, ReplacesAnotherOnlyWhenAskedTo) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "m");
  folder.write("m/old", "1");
  {
    AtomicFolder target(folder / "m");
    write_file_atomically(target.path() / "new", "2");
    EXPECT_EQ(test::error_of([&] { target.commit(false); }).kind(), ErrorKind::conflict);
    EXPECT_TRUE(fs::exists(folder / "m/old"));
    target.commit(true);
  }
  EXPECT_FALSE(fs::exists(folder / "m/old"));
  EXPECT_EQ(read_file(folder / "m/new"), "2");
  EXPECT_EQ(entries(folder / ""), 1u);
}

TEST(MappedFile, HoldsTheFilesBytes) {
  const test::TemporaryFolder folder;
  const MappedFile file(folder.write("f", "abc"));
  ASSERT_EQ(file.bytes().size(), 3u);
  EXPECT_EQ(file.bytes()[1], std::byte{'b'});
  EXPECT_TRUE(MappedFile(folder.write("empty", "")).bytes().empty());
}

}  // namespace
}  // namespace memmatch
