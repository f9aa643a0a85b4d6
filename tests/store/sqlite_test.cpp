#include "store/sqlite.h"

#include <gtest/gtest.h>

#include "store_support.h"

namespace memmatch {
namespace {

using test::error_of;
using test::run_sql;
using test::TemporaryFolder;

// A row that cannot be read must not change what is read next: through the same connection, of
// another document.
TEST(Statements, ADamagedRowDoesNotPoisonTheConnection) {
  const TemporaryFolder folder;
  { test::small_store(folder / "s.db"); }
  run_sql(folder / "s.db", "UPDATE sentences SET hash = x'00' WHERE id IN (1, 4)");
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::write);
  const DocumentId moon = store.find_document("Moon").id;
  const DocumentId sun = store.find_document("Sun (star)").id;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(error_of([&] { store.sentences(moon); }).kind(), ErrorKind::corrupt);
    EXPECT_EQ(error_of([&] { store.sentence(1); }).kind(), ErrorKind::corrupt);
    EXPECT_EQ(error_of([&] { store.sentence(moon, 0); }).kind(), ErrorKind::corrupt);
    EXPECT_EQ(store.sentences(sun).at(0).text, "The Sun is a star.");
    EXPECT_EQ(store.sentence(6)->text, "It is hot.");
    EXPECT_EQ(store.sentence(sun, 1)->text, "It is hot.");
    store.add_sentence("Sun (star)", {}, "One more.");  // no read is left open
  }
}

TEST(Statements, BindingWhileRowsAreLeftIsAnError) {
  const TemporaryFolder folder;
  store::Connection connection((folder / "s.db").string(),
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "s.db");
  store::Statement rows(connection, "SELECT value FROM (SELECT ?1 AS value UNION ALL SELECT 2)");
  rows.bind(1, std::int64_t{7});
  ASSERT_TRUE(rows.step());
  EXPECT_THROW(rows.bind(1, std::int64_t{8}), Error);
  EXPECT_THROW(rows.bind(1, ContentHash{}), Error);
  EXPECT_THROW(rows.bind(1, std::optional<ContentHash>{}), Error);
  EXPECT_THROW(rows.bind(1, std::string_view("8")), Error);
  EXPECT_THROW(rows.bind_blob(1, "8"), Error);
}

TEST(Statements, AQueryBeginsAnewWhateverTheLastOneCameTo) {
  const TemporaryFolder folder;
  store::Connection connection((folder / "s.db").string(),
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "s.db");
  store::Prepared rows(connection, "SELECT value FROM (SELECT ?1 AS value UNION ALL SELECT 2)");
  for (const std::int64_t value : {7, 8}) {
    const store::Query query(rows);
    query->bind(1, value);
    ASSERT_TRUE(query->step());
    EXPECT_EQ(query->integer(0), value);
  }
}

// C2: an Import is open on the same object.
TEST(Snapshots, OneThatCannotBeTakenIsNone) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  Datastore writer = Datastore::open(folder / "s.db", Datastore::Access::write);
  {
    const Datastore::Import import = store.begin_import();
    EXPECT_EQ(error_of([&] { store.snapshot(); }).kind(), ErrorKind::invalid_argument);
  }
  const std::string before = test::dump(store);
  {
    const Datastore::Snapshot snapshot = store.snapshot();
    writer.edit_sentence("Moon", 0, "Changed meanwhile.");
    EXPECT_EQ(test::dump(store), before);
    EXPECT_EQ(error_of([&] { store.edit_sentence("Moon", 0, "No."); }).kind(),
              ErrorKind::invalid_argument);
  }
  EXPECT_NE(test::dump(store), before);
}

TEST(Snapshots, TheDatastoreMayBeMovedMeanwhile) {
  const TemporaryFolder folder;
  std::optional<Datastore> store = test::small_store(folder / "s.db");
  std::optional<Datastore> moved;
  const Datastore::Snapshot snapshot = store->snapshot();
  moved = *std::move(store);
  store.reset();
  EXPECT_EQ(moved->stats().documents, 3u);
}

// Nobody would ever see what is written.
TEST(Moved, AFileThatWasDeletedOrReplacedIsNotWrittenTo) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  EXPECT_FALSE(store.has_moved());
  std::filesystem::rename(folder / "s.db", folder / "old.db");
  EXPECT_TRUE(store.has_moved());
  const auto expect_refused = [&] {
    const Error error = error_of([&] { store.edit_sentence("Moon", 0, "Lost."); });
    EXPECT_EQ(error.kind(), ErrorKind::conflict);
    EXPECT_NE(std::string(error.what()).find("was deleted, or replaced"), std::string::npos);
  };
  expect_refused();
  { test::small_store(folder / "new.db"); }
  std::filesystem::rename(folder / "new.db", folder / "s.db");
  expect_refused();
  EXPECT_EQ(store.stats().documents, 3u);  // reading goes on
}

}  // namespace
}  // namespace memmatch
