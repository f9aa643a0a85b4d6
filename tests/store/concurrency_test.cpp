#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "store_support.h"

namespace memmatch {
namespace {

using test::document;
using test::dump;
using test::TemporaryFolder;

// The writer moves one unit from one sentence to another within a transaction (an import); a reader
// that saw half of it would see a sum other than 100.
TEST(Concurrency, ReadersSeeWholeStatesWhileAWriterWorks) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  Datastore writer = Datastore::open(file, Datastore::Access::create);
  const auto state = [](int i) {
    return std::vector<NewDocument>{document("Left", {std::to_string(i)}),
                                    document("Right", {std::to_string(100 - i)})};
  };
  test::import_all(writer, state(0));

  std::atomic<bool> done = false;
  std::atomic<int> reads = 0;
  std::atomic<int> torn = 0;
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      Datastore reader = Datastore::open(file, Datastore::Access::read);
      while (!done) {
        const Datastore::Snapshot snapshot = reader.snapshot();
        const int left = std::stoi(reader.sentences(reader.find_document("Left").id)[0].text);
        const int right = std::stoi(reader.sentences(reader.find_document("Right").id)[0].text);
        if (left + right != 100) ++torn;
        ++reads;
      }
    });
  }
  for (int i = 1; i <= 60; ++i) test::import_all(writer, state(i));
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(torn, 0);
  EXPECT_GT(reads, 0);
}

TEST(Concurrency, AReaderGoesOnDuringALongWrite) {
  const TemporaryFolder folder;
  Datastore writer = test::small_store(folder / "s.db");
  Datastore reader = Datastore::open(folder / "s.db", Datastore::Access::read);
  const std::string before = dump(reader);
  Datastore::Import import = writer.begin_import();
  import.add(document("New", {"n0"}));
  EXPECT_EQ(dump(reader), before);
  import.commit();
  EXPECT_NE(dump(reader), before);
}

TEST(Concurrency, ASnapshotStaysAsItWas) {
  const TemporaryFolder folder;
  Datastore writer = test::small_store(folder / "s.db");
  Datastore reader = Datastore::open(folder / "s.db", Datastore::Access::read);
  const std::string before = dump(reader);
  {
    const Datastore::Snapshot snapshot = reader.snapshot();
    const Datastore::Snapshot nested = reader.snapshot();
    writer.edit_sentence("Moon", 0, "Changed meanwhile.");
    EXPECT_EQ(dump(reader), before);
  }
  EXPECT_NE(dump(reader), before);
}

TEST(Concurrency, TwoWritersTakeTurns) {
  const TemporaryFolder folder;
  { test::small_store(folder / "s.db"); }
  std::vector<std::thread> writers;
  for (int t = 0; t < 2; ++t) {
    writers.emplace_back([&] {
      Datastore store = Datastore::open(folder / "s.db", Datastore::Access::write);
      for (int i = 0; i < 50; ++i) store.add_sentence("Moon", {}, "One more.");
    });
  }
  for (std::thread& writer : writers) writer.join();
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::read);
  EXPECT_EQ(store.sentences(store.find_document("Moon").id).size(), 103u);
  EXPECT_TRUE(store.check().empty());
}

TEST(Concurrency, ManyMayCreateAStoreAtOnce) {
  const TemporaryFolder folder;
  std::vector<std::thread> creators;
  for (int t = 0; t < 4; ++t) {
    creators.emplace_back([&] {
      Datastore::open(folder / "s.db", Datastore::Access::create)
          .add_sentence("Shared", {}, "A sentence.");
    });
  }
  for (std::thread& creator : creators) creator.join();
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::read);
  EXPECT_EQ(store.sentences(store.find_document("Shared").id).size(), 4u);
}

}  // namespace
}  // namespace memmatch
