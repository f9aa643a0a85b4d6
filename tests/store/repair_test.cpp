#include <gtest/gtest.h>

#include "base/files.h"
#include "store_support.h"

namespace memmatch {
namespace {

using test::error_of;
using test::run_sql;
using test::TemporaryFolder;

constexpr ContentHash kModel{1, 2, 3};
constexpr std::int64_t kDimension = 4;

class RepairTest : public testing::Test {
 protected:
  RepairTest() {
    Datastore store = test::small_store(file_);
    texts_ = test::dump(store);
    const VectorSet set = store.make_vector_set(kModel, kDimension);
    const std::vector<VectorSource> sources = store.without_vector(set, 0, 100);
    store.write_vectors(set, sources,
                        std::vector<std::uint16_t>(sources.size() * kDimension, 0x3C00));
    vectors_ = sources.size();
  }

  Datastore open() { return Datastore::open(file_, Datastore::Access::write); }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "s.db";
  std::string texts_;
  std::uint64_t vectors_ = 0;
};

TEST_F(RepairTest, DamagedVectorsAreErrorsAreFoundAndGo) {
  const std::string bytes = read_file(file_);
  for (const char* sql : {
           "UPDATE vectors SET vector = x'003C003C' WHERE key & 1099511627775 = 3",
           "UPDATE vectors SET vector = x'007C003C003C003C' WHERE key & 1099511627775 = 3",
           "UPDATE vectors SET vector = x'003C003C003C01FE' WHERE key & 1099511627775 = 3",
           "UPDATE vectors SET vector = x'003C003C003C003C00' WHERE key & 1099511627775 = 3",
           "UPDATE vectors SET vector = x'' WHERE key & 1099511627775 = 3",
       }) {
    folder_.write("s.db", bytes);
    run_sql(file_, sql);
    Datastore store = open();
    const VectorSet set = *store.vector_set(kModel, kDimension);
    std::vector<std::uint16_t> vector(kDimension);
    for (const Error& error : {error_of([&] { store.read_vector(set, 3, vector); }), error_of([&] {
                                 store.for_each_vector(set, [](SentenceId, const auto&) {});
                               })}) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt);
      EXPECT_TRUE(std::string(error.what()).starts_with(file_.string())) << error.what();
      EXPECT_NE(std::string(error.what()).find("store repair"), std::string::npos) << error.what();
    }
    EXPECT_TRUE(store.read_vector(set, 1, vector));
    EXPECT_EQ(store.check().size(), 1u) << sql;
    EXPECT_EQ(store.repair().vectors, 1u) << sql;
    EXPECT_EQ(store.check(), std::vector<std::string>{}) << sql;
    EXPECT_EQ(test::dump(store), texts_);
    EXPECT_FALSE(store.read_vector(set, 3, vector));
    EXPECT_EQ(store.without_vector(set, 0, 100).size(), 1u);
  }
}

TEST_F(RepairTest, AWrongDimensionIsFoundAndTheSetCanBeMadeAnew) {
  const std::string bytes = read_file(file_);
  for (const char* dimension : {"-1", "0", "3", "500", "1099511627776", "9223372036854775807"}) {
    folder_.write("s.db", bytes);
    run_sql(file_, (std::string("UPDATE vector_sets SET dimension = ") + dimension).c_str());
    Datastore store = open();
    EXPECT_EQ(error_of([&] { store.vector_set(kModel, kDimension); }).kind(), ErrorKind::corrupt);
    const VectorSet said = store.vector_sets().at(0);
    EXPECT_EQ(error_of([&] { store.for_each_vector(said, [](SentenceId, const auto&) {}); }).kind(),
              ErrorKind::corrupt);
    EXPECT_FALSE(store.check().empty()) << dimension;
    EXPECT_EQ(store.repair().vectors, vectors_);
    EXPECT_EQ(store.check(), std::vector<std::string>{});
    EXPECT_FALSE(store.vector_set(kModel, kDimension));
    const VectorSet set = store.make_vector_set(kModel, kDimension);
    EXPECT_EQ(set.id, said.id);  // which another process may know it by
    EXPECT_EQ(store.without_vector(set, 0, 100).size(), vectors_);
  }
}

TEST_F(RepairTest, SetsAndVectorsThatBelongToNothingGo) {
  const std::string bytes = read_file(file_);
  for (const char* sql :
       {"UPDATE vector_sets SET id = 4611686018427387904", "UPDATE vector_sets SET id = -5",
        "UPDATE vector_sets SET fingerprint = x'00'", "DELETE FROM vector_sets",
        "INSERT INTO vectors VALUES (-1, x'00')",
        "INSERT INTO vectors VALUES (9999999999999, x'00')",
        "UPDATE vectors SET key = key + 500 WHERE key & 1099511627775 = 3"}) {
    folder_.write("s.db", bytes);
    run_sql(file_, sql);
    Datastore store = open();
    EXPECT_FALSE(store.check().empty()) << sql;
    EXPECT_GE(store.repair().vectors, 1u) << sql;
    EXPECT_EQ(store.check(), std::vector<std::string>{}) << sql;
    EXPECT_EQ(test::dump(store), texts_);
  }
}

TEST_F(RepairTest, IndexesAreMadeAnew) {
  std::string bytes = read_file(file_);
  // The key "earth" in the table, in its index, which has it without a title before it, and in the
  // indexes of words.
  int places = 0;
  int mended = 0;
  for (std::size_t at = bytes.find("earth"); at != std::string::npos;
       at = bytes.find("earth", at + 1)) {
    ++places;
    std::string damaged = bytes;
    damaged[at] = 'a';
    folder_.write("s.db", damaged);
    Datastore store = open();
    EXPECT_FALSE(store.check().empty());
    store.repair();
    mended += store.check().empty() ? 1 : 0;
    EXPECT_EQ(test::dump(store).substr(0, 20), texts_.substr(0, 20));
  }
  EXPECT_GE(places, 3);
  EXPECT_EQ(mended, places - 1) << "all but the table's";
}

// The advice that messages give must hold.
TEST_F(RepairTest, AnImportOrAnEditMendsATextOrItsHash) {
  const std::string bytes = read_file(file_);
  for (const char* sql : {"UPDATE sentences SET text = 'Xhe Moon orbits the Earth.' WHERE id = 1",
                          "UPDATE sentences SET hash = zeroblob(16) WHERE id = 1"}) {
    for (const bool by_import : {true, false}) {
      folder_.write("s.db", bytes);
      run_sql(file_, sql);
      Datastore store = open();
      EXPECT_FALSE(store.check().empty());
      EXPECT_EQ(error_of([&] { store.sentence(1); }).kind(), ErrorKind::corrupt);
      EXPECT_EQ(error_of([&] { store.vector_sources(std::vector<SentenceId>{1}); }).kind(),
                ErrorKind::corrupt);
      if (by_import) {
        test::import_all(
            store, {test::document("Moon", {"The Moon orbits the Earth.", "", "It is round."})});
      } else {
        store.edit_sentence("Moon", 0, "The Moon orbits the Earth.");
      }
      EXPECT_EQ(store.check(), std::vector<std::string>{}) << sql;
      EXPECT_EQ(test::dump(store), texts_) << sql;
    }
  }
}

TEST_F(RepairTest, OnlyAStoreThatNothingWasPutIntoIsRemoved) {
  EXPECT_FALSE(Datastore::remove_if_empty(file_));
  EXPECT_FALSE(Datastore::remove_if_empty(folder_ / "none.db"));
  EXPECT_FALSE(Datastore::remove_if_empty(folder_.write("text.db", "Some text.")));
  {
    const Datastore in_use = Datastore::open(folder_ / "new.db", Datastore::Access::create);
    EXPECT_FALSE(Datastore::remove_if_empty(folder_ / "new.db"));
  }
  EXPECT_TRUE(Datastore::remove_if_empty(folder_ / "new.db"));
  { Datastore::open(folder_ / "emptied.db", Datastore::Access::create).add_sentence("A", {}, "a"); }
  { Datastore::open(folder_ / "emptied.db", Datastore::Access::write).delete_document("A"); }
  EXPECT_FALSE(Datastore::remove_if_empty(folder_ / "emptied.db"));
  EXPECT_EQ(entries_of(folder_.path()), (std::vector<std::filesystem::path>{
                                            folder_ / "emptied.db", file_, folder_ / "text.db"}));
}

}  // namespace
}  // namespace memmatch
