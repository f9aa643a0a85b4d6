#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <random>
#include <thread>

#include "base/files.h"
#include "store_support.h"

namespace memmatch {
namespace {

using test::document;
using test::error_of;
using test::import_all;
using test::run_sql;
using test::TemporaryFolder;

// A store of some pages, as bytes.
std::string healthy_bytes(const TemporaryFolder& folder) {
  {
    Datastore store = Datastore::open(folder / "healthy.db", Datastore::Access::create);
    std::vector<NewDocument> documents;
    for (int i = 0; i < 60; ++i) {
      documents.push_back(
          document("Title " + std::to_string(i),
                   {std::string(200, 'x') + std::to_string(i), "Second sentence.", "Third."}));
    }
    import_all(store, documents);
  }
  return read_file(folder / "healthy.db");
}

std::string open_error(const std::filesystem::path& file, ErrorKind kind) {
  const Error error = error_of([&] { Datastore::open(file, Datastore::Access::read); });
  EXPECT_EQ(error.kind(), kind) << error.what();
  EXPECT_TRUE(std::string(error.what()).starts_with(file.string())) << error.what();
  return error.what();
}

TEST(Damage, FilesThatAreNotOursSaySo) {
  const TemporaryFolder folder;
  EXPECT_NE(open_error(folder / "none.db", ErrorKind::not_found).find("no such datastore"),
            std::string::npos);
  EXPECT_NE(open_error(folder.write("empty.db", ""), ErrorKind::corrupt).find("is empty"),
            std::string::npos);
  EXPECT_NE(open_error(folder.write("text.db", "Just some text."), ErrorKind::corrupt)
                .find("no SQLite file"),
            std::string::npos);
  run_sql(folder / "other.db", "CREATE TABLE t (x)");
  EXPECT_NE(open_error(folder / "other.db", ErrorKind::corrupt).find("not a memmatch datastore"),
            std::string::npos);
  std::filesystem::create_directory(folder / "folder.db");
  EXPECT_NE(open_error(folder / "folder.db", ErrorKind::invalid_argument).find("is a folder"),
            std::string::npos);
}

TEST(Damage, NewerVersionsAreNotTouched) {
  const TemporaryFolder folder;
  folder.write("s.db", healthy_bytes(folder));
  run_sql(folder / "s.db", "PRAGMA user_version = 7");
  EXPECT_NE(open_error(folder / "s.db", ErrorKind::unsupported).find("has datastore format 7"),
            std::string::npos);
}

TEST(Damage, AChangedSchemaIsNoticed) {
  const TemporaryFolder folder;
  folder.write("s.db", healthy_bytes(folder));
  run_sql(folder / "s.db",
          "CREATE TRIGGER evil AFTER INSERT ON sentences BEGIN DELETE FROM sentences; END");
  EXPECT_NE(open_error(folder / "s.db", ErrorKind::corrupt)
                .find("'evil' is not part of a memmatch datastore"),
            std::string::npos);
}

TEST(Damage, TruncatedFilesSaySo) {
  const TemporaryFolder folder;
  const std::string bytes = healthy_bytes(folder);
  for (std::size_t size = 1; size < bytes.size(); size += 1 + size / 7) {
    const auto file = folder.write("cut.db", std::string_view(bytes).substr(0, size));
    EXPECT_NE(open_error(file, ErrorKind::corrupt).find("is truncated"), std::string::npos) << size;
  }
}

TEST(Damage, TextChangedBehindOurBackIsFound) {
  const TemporaryFolder folder;
  std::string bytes = healthy_bytes(folder);
  const std::size_t at = bytes.find("Second sentence.");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'Z';
  Datastore store = Datastore::open(folder.write("s.db", bytes), Datastore::Access::read);
  const std::vector<std::string> problems = store.check();
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].find("content hash differs"), std::string::npos);
  EXPECT_NE(problems[1].find("index of words"), std::string::npos);
}

TEST(Damage, WrongMatchKeysOrphansAndHistoriesAreFound) {
  const TemporaryFolder folder;
  const std::string bytes = healthy_bytes(folder);
  for (const char* sql :
       {"UPDATE documents SET match_key = 'nonsense' WHERE id = 3",
        "DELETE FROM documents WHERE id = 4", "UPDATE sentences SET revision = 5 WHERE id = 9"}) {
    folder.write("s.db", bytes);
    run_sql(folder / "s.db", sql);
    EXPECT_FALSE(Datastore::open(folder / "s.db", Datastore::Access::read).check().empty()) << sql;
  }
}

// Bytes overwritten anywhere: an error or a finding, or no harm done, but never a crash.
TEST(Damage, RandomDamageNeverCrashes) {
  const TemporaryFolder folder;
  const std::string bytes = healthy_bytes(folder);
  std::mt19937 random(3);
  int noticed = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    const std::size_t start = random() % damaged.size();
    const std::size_t length = std::min<std::size_t>(1 + random() % 500, damaged.size() - start);
    for (std::size_t i = start; i < start + length; ++i) damaged[i] = static_cast<char>(random());
    const auto file = folder.write("s.db", damaged);
    try {
      Datastore store = Datastore::open(file, Datastore::Access::write);
      if (!store.check().empty()) ++noticed;
      store.cover("Title 7 and title 9 are titles.");
      store.add_sentence("Title 3", {}, "A new sentence.");
    } catch (const Error&) {
      ++noticed;
    }
    std::filesystem::remove(file.string() + "-wal");
    std::filesystem::remove(file.string() + "-shm");
  }
  EXPECT_GT(noticed, 100);
}

// Opening says what is wrong in all of these cases, and makes nothing.
TEST(Damage, AStoreThatCannotBeMadeSaysWhy) {
  const TemporaryFolder folder;
  folder.write("file", "");
  for (const char* name : {"file/s.db", "none/s.db"}) {
    const Error error =
        error_of([&] { Datastore::open(folder / name, Datastore::Access::create); });
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
    EXPECT_NE(std::string(error.what()).find("is no folder"), std::string::npos) << error.what();
  }
  const std::string long_name(300, 'x');
  EXPECT_EQ(
      error_of([&] { Datastore::open(folder / long_name, Datastore::Access::create); }).kind(),
      ErrorKind::io);
}

// SQLite would bring the old pages into the new file.
TEST(Damage, TheLogOfADeletedStoreIsNotThatOfANewOne) {
  const TemporaryFolder folder;
  {
    Datastore store = test::small_store(folder / "old.db");
    std::filesystem::copy_file(folder / "old.db-wal", folder / "s.db-wal");
  }
  const Error error =
      error_of([&] { Datastore::open(folder / "s.db", Datastore::Access::create); });
  EXPECT_EQ(error.kind(), ErrorKind::conflict);
  EXPECT_NE(std::string(error.what()).find("s.db-wal: is what was left"), std::string::npos)
      << error.what();
  std::filesystem::remove(folder / "s.db-wal");
  EXPECT_EQ(Datastore::open(folder / "s.db", Datastore::Access::create).stats().documents, 0u);
}

TEST(Damage, IdsOutOfRangeAreNotBelieved) {
  const TemporaryFolder folder;
  const std::string bytes = healthy_bytes(folder);
  for (const char* sql : {"UPDATE documents SET id = 9223372036854775806 WHERE id = 7",
                          "UPDATE documents SET id = 1152921504606846976 WHERE id = 7"}) {
    folder.write("s.db", bytes);
    run_sql(folder / "s.db", sql);
    Datastore store = Datastore::open(folder / "s.db", Datastore::Access::write);
    EXPECT_EQ(import_all(store, {document("Title 3", {"News."})}).changed_sentences, 1u);
  }
  for (const char* sql : {"UPDATE sentences SET id = 9223372036854775806 WHERE id = 7",
                          "UPDATE sentences SET number = 4294967296 WHERE id = 7",
                          "UPDATE sentences SET number = -1 WHERE id = 7"}) {
    folder.write("s.db", bytes);
    run_sql(folder / "s.db", sql);
    Datastore store = Datastore::open(folder / "s.db", Datastore::Access::read);
    EXPECT_FALSE(store.check().empty());
    const VectorSet set{.id = 1};
    std::vector<std::uint16_t> vector(1);
    EXPECT_EQ(error_of([&] { store.read_vector(set, 9223372036854775806, vector); }).kind(),
              ErrorKind::corrupt);
  }
}

// What `run` gave in a process of its own, 0 for success, after `prepare` had given up rights there
// or mounted something.
constexpr int kImpossible = 77;
int in_child(const std::function<bool()>& prepare, const std::function<int()>& run) {
  const pid_t child = fork();
  if (child == 0) {
    if (!prepare()) _exit(kImpossible);
    int code = 1;
    try {
      code = run();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Root may write everywhere.
int as_nobody(const std::filesystem::path& file, const std::function<int()>& run) {
  constexpr uid_t kNobody = 65534;
  return in_child(
      [&] { return (geteuid() != 0 || setuid(kNobody) == 0) && access(file.c_str(), R_OK) == 0; },
      run);
}

// With mounts that nobody else sees.
int with_mounts(const std::function<bool()>& mount_all, const std::function<int()>& run) {
  return in_child(
      [&] {
        return unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 && mount_all();
      },
      run);
}

void set_permissions(const std::filesystem::path& path, unsigned mode) {
  std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
}

// A service that may read, and an administrator who imports: the reader must see whole states, the
// new ones too.
TEST(Damage, AReaderWithoutTheRightToWriteSeesWhatOthersCommit) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  { test::small_store(file); }
  set_permissions(folder.path(), 0777);
  set_permissions(file, 0644);
  int to_child[2];
  int to_parent[2];
  ASSERT_EQ(pipe(to_child) + pipe(to_parent), 0);
  std::thread writer([&] {
    char ready = 0;
    if (read(to_parent[0], &ready, 1) != 1) return;
    for (int i = 0; i < 3; ++i) {  // closing brings the log into the file
      Datastore store = Datastore::open(file, Datastore::Access::write);
      std::vector<NewDocument> documents;
      for (int j = 0; j < 50; ++j)
        documents.push_back(document("Title " + std::to_string(j), {std::string(300, "abc"[i])}));
      import_all(store, documents);
    }
    if (write(to_child[1], "x", 1) != 1) return;
  });
  const int code = as_nobody(file, [&] {
    Datastore store = Datastore::open(file, Datastore::Access::read);
    if (store.stats().documents != 3) return 3;
    char done = 0;
    if (write(to_parent[1], "x", 1) != 1 || read(to_child[0], &done, 1) != 1) return 4;
    if (store.stats().documents != 53) return 5;
    if (!store.check().empty()) return 6;
    return store.sentences(store.find_document("Title 7").id).at(0).text == std::string(300, 'c')
               ? 0
               : 7;
  });
  if (code != 0 && write(to_parent[1], "x", 1) != 1) ADD_FAILURE();  // it may not have come so far
  writer.join();
  for (const int end : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) close(end);
  if (code == kImpossible) GTEST_SKIP() << "others cannot reach the temporary folder";
  EXPECT_EQ(code, 0);
}

TEST(Damage, AFolderWithoutTheRightToWriteSaysWhatToDo) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  { test::small_store(file); }
  set_permissions(folder.path(), 0755);
  set_permissions(file, 0644);
  const auto message_has = [&](Datastore::Access access, const char* part) {
    const Error error = error_of([&] { Datastore::open(file, access); });
    return error.kind() == ErrorKind::io &&
           std::string(error.what()).find(part) != std::string::npos;
  };
  const int alone = as_nobody(file, [&] {
    if (!message_has(Datastore::Access::write,
                     "is not writable; verbs that only read it take --read-only"))
      return 3;
    return message_has(Datastore::Access::read, "copy the file to a folder of your own") ? 0 : 4;
  });
  if (alone == kImpossible) GTEST_SKIP() << "others cannot reach the temporary folder";
  EXPECT_EQ(alone, 0);
  Datastore writer = Datastore::open(file, Datastore::Access::write);
  writer.edit_sentence("Moon", 0, "Edited.");
  EXPECT_EQ(as_nobody(file,
                      [&] {
                        Datastore store = Datastore::open(file, Datastore::Access::read);
                        return store.sentence(1)->text == "Edited." ? 0 : 3;
                      }),
            0);
}

TEST(Damage, AReadOnlyFileSystemCanBeRead) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  { test::small_store(file); }
  const char* path = folder.path().c_str();
  const int code = with_mounts(
      [&] {
        return mount(path, path, nullptr, MS_BIND, nullptr) == 0 &&
               mount("none", path, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
      },
      [&] {
        if (Datastore::open(file, Datastore::Access::read).stats().documents != 3) return 3;
        const Error error = error_of([&] { Datastore::open(file, Datastore::Access::write); });
        constexpr const char* kAdvice = "read-only; verbs that only read it take --read-only";
        return std::string(error.what()).find(kAdvice) != std::string::npos ? 0 : 4;
      });
  if (code == kImpossible) GTEST_SKIP() << "this needs the right to mount";
  EXPECT_EQ(code, 0);
}

TEST(Damage, AFullDiskSaysSoAndChangesNothing) {
  const TemporaryFolder folder;
  const int code = with_mounts(
      [&] { return mount("none", folder.path().c_str(), "tmpfs", 0, "size=512k") == 0; },
      [&] {
        Datastore store = test::small_store(folder / "s.db");
        const std::string before = test::dump(store);
        std::vector<NewDocument> documents;
        for (int i = 0; i < 200; ++i)
          documents.push_back(document("Title " + std::to_string(i), {std::string(9000, 'x')}));
        const Error error = error_of([&] { import_all(store, documents); });
        if (std::string(error.what()).find("the disk is full") == std::string::npos) return 3;
        if (test::dump(store) != before || !store.check().empty()) return 4;
        store.edit_sentence("Moon", 0, "There is room for this.");
        return 0;
      });
  if (code == kImpossible) GTEST_SKIP() << "this needs the right to mount";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace memmatch
