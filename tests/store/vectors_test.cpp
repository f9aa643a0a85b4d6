#include <gtest/gtest.h>

#include <chrono>

#include "store_support.h"

namespace memmatch {
namespace {

using std::chrono::milliseconds;
using test::error_of;
using test::TemporaryFolder;

constexpr ContentHash kModel{1, 2, 3};
constexpr std::int64_t kDimension = 4;
constexpr std::uint16_t kOne = 0x3C00;  // as a half

class VectorsTest : public testing::Test {
 protected:
  VectorsTest() { test::small_store(file_); }

  Datastore open(Datastore::Access access = Datastore::Access::write,
                 milliseconds patience = Datastore::kPatience) {
    return Datastore::open(file_, access, patience);
  }

  static std::vector<VectorSource> some_sources(Datastore& store) {
    return store.without_vector({.id = 99}, 0, 3);
  }

  static bool try_write(Datastore& store) {
    const std::vector<VectorSource> sources = some_sources(store);
    return store.try_write_vectors(kModel, kDimension, sources,
                                   std::vector<std::uint16_t>(sources.size() * kDimension, kOne));
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "s.db";
};

TEST_F(VectorsTest, AWriterWaitsAsLongAsItWasTold) {
  Datastore long_writer = open();
  const Datastore::Import import = long_writer.begin_import();
  Datastore store = open(Datastore::Access::write, milliseconds(100));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of([&] { store.edit_sentence("Moon", 0, "Other."); }).kind(),
            ErrorKind::conflict);
  const auto waited = std::chrono::steady_clock::now() - start;
  EXPECT_GE(waited, milliseconds(100));
  EXPECT_LT(waited, std::chrono::seconds(20));
}

TEST_F(VectorsTest, WhatIsMadeOnTheWayIsKeptWhereThatIsPossibleAtOnce) {
  Datastore store = open();
  {
    Datastore long_writer = open();
    const Datastore::Import import = long_writer.begin_import();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(try_write(store));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  }
  {
    const Datastore::Snapshot snapshot = store.snapshot();
    EXPECT_FALSE(try_write(store));
  }
  {
    const Datastore::Import import = store.begin_import();
    EXPECT_FALSE(try_write(store));
  }
  Datastore reader = open(Datastore::Access::read);
  EXPECT_FALSE(try_write(reader));
  EXPECT_FALSE(reader.vector_set(kModel, kDimension));
  EXPECT_TRUE(try_write(store));
  const std::optional<VectorSet> set = reader.vector_set(kModel, kDimension);
  ASSERT_TRUE(set);
  std::vector<std::uint16_t> vector(kDimension);
  EXPECT_TRUE(reader.read_vector(*set, some_sources(reader).front().id, vector));
  EXPECT_EQ(vector, std::vector<std::uint16_t>(kDimension, kOne));
}

// Having tried without waiting, the next edit waits again.
TEST_F(VectorsTest, TryingDoesNotSpoilThePatience) {
  Datastore store = open(Datastore::Access::write, milliseconds(200));
  Datastore long_writer = open();
  const Datastore::Import import = long_writer.begin_import();
  EXPECT_FALSE(try_write(store));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of([&] { store.edit_sentence("Moon", 0, "Other."); }).kind(),
            ErrorKind::conflict);
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(200));
}

TEST_F(VectorsTest, ASetOfAnotherDimensionIsRefused) {
  Datastore store = open();
  ASSERT_TRUE(try_write(store));
  for (const Error& error : {error_of([&] { store.vector_set(kModel, 5); }),
                             error_of([&] { store.make_vector_set(kModel, 5); })}) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_TRUE(std::string(error.what()).starts_with(file_.string())) << error.what();
    EXPECT_NE(std::string(error.what()).find("store repair"), std::string::npos) << error.what();
  }
  const std::vector<VectorSource> sources = some_sources(store);
  EXPECT_FALSE(store.try_write_vectors(kModel, 5, sources,
                                       std::vector<std::uint16_t>(sources.size() * 5, kOne)));
}

TEST_F(VectorsTest, OnlyFiniteVectorsOfTheRightNumberAreWritten) {
  Datastore store = open();
  const VectorSet set = store.make_vector_set(kModel, kDimension);
  const std::vector<VectorSource> sources = some_sources(store);
  for (const std::vector<std::uint16_t>& vectors :
       {std::vector<std::uint16_t>(kDimension, kOne),
        std::vector<std::uint16_t>(sources.size() * kDimension, 0x7C00),
        std::vector<std::uint16_t>(sources.size() * kDimension, 0xFE01)}) {
    EXPECT_EQ(error_of([&] { store.write_vectors(set, sources, vectors); }).kind(),
              ErrorKind::invalid_argument);
  }
  EXPECT_EQ(store.stats().vectors, 0u);
}

}  // namespace
}  // namespace memmatch
