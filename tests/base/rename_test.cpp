#include "base/rename.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/atomic_file.h"
#include "base/files.h"
#include "support.h"

namespace memmatch {
namespace {

namespace fs = std::filesystem;

using Rename = bool (*)(const fs::path&, const fs::path&);

TEST(Rename, ToANewNameReplacesNothing) {
  for (const Rename rename :
       {static_cast<Rename>(rename_to_new), static_cast<Rename>(plain::rename_to_new)}) {
    const test::TemporaryFolder folder;
    folder.write("a", "1");
    folder.write("b", "2");
    EXPECT_FALSE(rename(folder / "a", folder / "b"));
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(read_file(folder / "b"), "2");
    EXPECT_TRUE(rename(folder / "a", folder / "c"));
    EXPECT_EQ(read_file(folder / "c"), "1");
    fs::create_directory(folder / "d");
    fs::create_directory(folder / "e");
    EXPECT_FALSE(rename(folder / "d", folder / "e"));
    EXPECT_EQ(errno, EEXIST);
    EXPECT_TRUE(rename(folder / "d", folder / "f"));
    EXPECT_EQ(entries_of(folder.path()),
              (std::vector<fs::path>{folder / "b", folder / "c", folder / "e", folder / "f"}));
    EXPECT_FALSE(rename(folder / "none", folder / "g"));
    EXPECT_EQ(errno, ENOENT);
  }
}

TEST(Rename, TwoFoldersTakeEachOthersNames) {
  for (const Rename swap : {static_cast<Rename>(exchange), static_cast<Rename>(plain::exchange)}) {
    const test::TemporaryFolder folder;
    for (const char* name : {"a", "b"}) {
      fs::create_directory(folder / name);
      folder.write(std::string(name) + "/f", name);
    }
    EXPECT_TRUE(swap(folder / "a", folder / "b"));
    EXPECT_EQ(read_file(folder / "a/f"), "b");
    EXPECT_EQ(read_file(folder / "b/f"), "a");
    EXPECT_EQ(entries_of(folder.path()).size(), 2u);
    EXPECT_FALSE(swap(folder / "none", folder / "b"));
    EXPECT_EQ(read_file(folder / "b/f"), "a");
    EXPECT_EQ(entries_of(folder.path()).size(), 2u);
  }
}

// Where a process was killed after each of the steps of plain::exchange().
TEST(Rename, AnExchangeThatWasCutShortLosesNothing) {
  for (int steps = 1; steps <= 2; ++steps) {
    const test::TemporaryFolder folder;
    for (const char* name : {".b.1-1", "b"}) {
      fs::create_directory(folder / name);
      folder.write(std::string(name) + "/f", name);
    }
    fs::rename(folder / "b", plain::aside_name(folder / "b"));
    if (steps > 1) fs::rename(folder / ".b.1-1", folder / "b");
    { const AtomicFolder next(folder / "b"); }  // as the next process that writes there
    EXPECT_EQ(read_file(folder / "b/f"), steps > 1 ? ".b.1-1" : "b");
    EXPECT_FALSE(fs::exists(plain::aside_name(folder / "b")));
    finish_exchange(folder / "b");  // nothing is left to do
    EXPECT_TRUE(fs::exists(folder / "b"));
  }
}

// What cleans up after a killed process by the names of its temporary folders spares the one that
// has everything.
TEST(Rename, TheOldFolderIsNotTakenForATemporaryOne) {
  EXPECT_FALSE(plain::aside_name("run/checkpoint").filename().string().starts_with(".checkpoint."));
}

}  // namespace
}  // namespace memmatch
