#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "base/files.h"
#include "store_support.h"

namespace memmatch {
namespace {

using test::document;
using test::error_of;
using test::import_all;
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

void run_sql(const std::filesystem::path& file, const char* sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
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
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("content hash differs"), std::string::npos);
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

// Root may write everywhere, so this happens in a process that gives up being root.
TEST(Damage, AReadOnlyFolderCanBeRead) {
  const TemporaryFolder folder;
  { test::small_store(folder / "s.db"); }
  using std::filesystem::perms;
  const perms readable = perms::owner_read | perms::group_read | perms::others_read;
  std::filesystem::permissions(folder / "s.db", readable);
  std::filesystem::permissions(
      folder / "", readable | perms::owner_exec | perms::group_exec | perms::others_exec);
  constexpr int kUnreachable = 77;
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(3);
    if (access((folder / "s.db").c_str(), R_OK) != 0) _exit(kUnreachable);
    try {
      if (Datastore::open(folder / "s.db", Datastore::Access::read).stats().documents != 3)
        _exit(4);
      Datastore::open(folder / "s.db", Datastore::Access::write);
    } catch (const Error& error) {
      _exit(std::string(error.what()).find("is not writable") != std::string::npos ? 0 : 5);
    }
    _exit(6);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::filesystem::permissions(folder / "", perms::owner_all);
  if (WEXITSTATUS(status) == kUnreachable)
    GTEST_SKIP() << "others cannot reach the temporary folder";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace memmatch
