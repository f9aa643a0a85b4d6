#include <gtest/gtest.h>
#include <sqlite3.h>

#include "memmatch/datastore.h"
#include "process.h"

namespace memmatch {
namespace {

using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

TEST(StoreRepair, SaysWhatItDidAndWhatIsLeft) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  {
    Datastore store = Datastore::open(file, Datastore::Access::create);
    store.add_sentence("Moon", {}, "The Moon is round.");
    const VectorSet set = store.make_vector_set({1}, 2);
    store.write_vectors(set, store.without_vector(set, 0, 1), std::vector<std::uint16_t>(2));
  }
  const auto run_sql = [&](const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
  };
  run_sql("UPDATE vectors SET vector = x'FF7FFF7F'");
  const Outcome check = run_program({"store", "check", "--store", file});
  EXPECT_EQ(check.code, 1);
  EXPECT_NE(check.err.find("store repair"), std::string::npos) << check.err;
  const Outcome repair = run_program({"store", "repair", "--store", file});
  EXPECT_EQ(repair.code, 0) << repair.err;
  EXPECT_NE(repair.out.find("1 vectors"), std::string::npos) << repair.out;
  EXPECT_EQ(run_program({"store", "check", "--store", file}).code, 0);
  run_sql("UPDATE sentences SET text = 'The Moon is flat.'");
  const Outcome left = run_program({"store", "repair", "--store", file, "--json"});
  EXPECT_EQ(left.code, 1);
  EXPECT_NE(left.out.find("\"ok\":false"), std::string::npos) << left.out;
  EXPECT_EQ(run_program({"store", "show", "--store", file, "--title", "Moon"}).code, 1);
}

TEST(FirstImport, ThatFailsLeavesNothing) {
  const TemporaryFolder folder;
  const auto bad =
      folder.write("bad.jsonl", "{\"title\": \"A\", \"sentences\": [\"a\"]}\nnonsense\n");
  const auto stores = folder / "stores";
  std::filesystem::create_directory(stores);
  const std::string file = (stores / "s.db").string();
  EXPECT_EQ(run_program({"import", "jsonl", bad, "--store", file}).code, 1);
  EXPECT_EQ(entries_of(stores).size(), 0u);
  EXPECT_EQ(run_program({"store", "add", "--store", file, "--title", "A", " "}).code, 2);
  EXPECT_EQ(entries_of(stores).size(), 0u);
  EXPECT_EQ(run_program({"store", "add", "--store", file, "--title", "A", "a"}).code, 0);
  EXPECT_EQ(run_program({"import", "jsonl", bad, "--store", file}).code, 1);
  EXPECT_EQ(run_program({"store", "show", "--store", file, "--title", "A"}).code, 0);
}

}  // namespace
}  // namespace memmatch
