#include "search/store_matrix.h"

#include <limits>
#include <random>

#include "base/float16.h"
#include "search/half_kernels.h"
#include "store/store_support.h"

namespace memmatch::search {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::vector<float> random_values(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(1, 2);
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

std::vector<std::uint16_t> halves_of(const std::vector<float>& values) {
  std::vector<std::uint16_t> halves;
  for (const float value : values) halves.push_back(half_from_float(value));
  return halves;
}

std::vector<float> floats_of(std::span<const std::uint16_t> halves) {
  std::vector<float> floats;
  for (const std::uint16_t half : halves) floats.push_back(float_from_half(half));
  return floats;
}

// A store of some sentences with these vectors, and the matrix of it.
class StoreMatrixTest : public testing::Test {
 protected:
  void fill(std::size_t dimension, std::vector<std::uint16_t> halves) {
    dimension_ = dimension;
    halves_ = std::move(halves);
    const std::size_t rows = halves_.size() / dimension;
    std::vector<NewDocument> documents;
    for (std::size_t row = 0; row < rows; ++row)
      documents.push_back(test::document("Title " + std::to_string(row), {"Text."}));
    test::import_all(store_, documents);
    set_ = store_.make_vector_set({}, static_cast<std::int64_t>(dimension));
    const auto sources = store_.without_vector(set_, 0, static_cast<int>(rows));
    store_.write_vectors(set_, sources, halves_);
    for (const VectorSource& source : sources) ids_.push_back(source.id);
    matrix_.refresh(store_, set_, kNoLimit);
  }

  std::vector<Ranked> brute_force(std::span<const float> query, std::size_t k) const {
    std::vector<Ranked> all;
    for (std::size_t row = 0; row < ids_.size(); ++row) {
      const auto halves = std::span(halves_).subspan(row * dimension_, dimension_);
      all.push_back({ids_[row], distance(query, floats_of(halves))});
    }
    keep_nearest(all, k);
    return all;
  }

  void expect_exact(const std::vector<float>& queries, std::size_t k) const {
    for (const int threads : {1, 2, 3}) {
      const std::vector<std::vector<Ranked>> found = matrix_.nearest(queries, k, threads);
      ASSERT_EQ(found.size(), queries.size() / dimension_);
      for (std::size_t q = 0; q < found.size(); ++q) {
        const auto query = std::span(queries).subspan(q * dimension_, dimension_);
        EXPECT_EQ(found[q], brute_force(query, k))
            << "query " << q << ", " << threads << " threads";
      }
    }
  }

  test::TemporaryFolder folder_;
  Datastore store_ = Datastore::open(folder_ / "store", Datastore::Access::create);
  VectorSet set_;
  std::size_t dimension_ = 0;
  std::vector<std::uint16_t> halves_;
  std::vector<SentenceId> ids_;
  StoreMatrix matrix_;
};

TEST(HalfKernels, AllGiveTheBitsOfDistance) {
  for (const std::size_t dimension : {1U, 7U, 8U, 15U, 16U, 17U, 40U, 1000U}) {
    const std::vector<float> query = random_values(dimension, 1);
    const std::vector<std::uint16_t> support = halves_of(random_values(dimension, 2));
    for (const HalfKernels& kernels : half_kernels()) {
      std::vector<float> floats(dimension);
      kernels.floats(support, floats.data());
      EXPECT_EQ(floats, floats_of(support)) << kernels.name << " " << dimension;
      EXPECT_EQ(kernels.distance(query, support), distance(query, floats))
          << kernels.name << " " << dimension;
    }
  }
}

TEST_F(StoreMatrixTest, FindsWhatBruteForceFinds) {
  fill(100, halves_of(random_values(700 * 100, 3)));
  EXPECT_EQ(matrix_.rows(), 700U);
  EXPECT_EQ(matrix_.bytes(), 700U * 100 * 2);
  for (const std::size_t queries : {1U, 3U, 4U, 65U})
    expect_exact(random_values(queries * 100, 4), 30);
}

TEST_F(StoreMatrixTest, MoreAskedForThanThereIs) {
  fill(20, halves_of(random_values(10 * 20, 3)));
  for (const std::size_t queries : {1U, 8U}) expect_exact(random_values(queries * 20, 4), 100);
}

TEST_F(StoreMatrixTest, TiesGoToTheSmallerId) {
  const std::vector<std::uint16_t> few = halves_of(random_values(5 * 33, 3));
  std::vector<std::uint16_t> halves;
  for (int copy = 0; copy < 100; ++copy) halves.insert(halves.end(), few.begin(), few.end());
  fill(33, halves);
  for (const std::size_t queries : {1U, 8U}) expect_exact(random_values(queries * 33, 4), 37);
}

// All rows are so close to each other that the products cannot tell them apart.
TEST_F(StoreMatrixTest, FarFromTheOriginAndCloseTogether) {
  std::vector<std::uint16_t> halves = halves_of(std::vector<float>(600 * 64, 1000));
  std::mt19937 random(5);
  for (std::uint16_t& half : halves) half = static_cast<std::uint16_t>(half + random() % 2);
  fill(64, halves);
  for (const std::size_t queries : {1U, 8U})
    expect_exact(std::vector<float>(queries * 64, 1000.2F), 30);
}

// A query that is itself a row: only the small number of distance() is left of the difference.
TEST_F(StoreMatrixTest, QueriesThatAreRows) {
  fill(50, halves_of(random_values(400 * 50, 3)));
  const std::vector<float> rows = floats_of(std::span(halves_).first(10 * 50));
  expect_exact(rows, 5);
  EXPECT_EQ(matrix_.nearest(rows, 1, 1)[7][0].id, ids_[7]);
}

TEST_F(StoreMatrixTest, FollowsChangesOfTheStore) {
  fill(16, halves_of(random_values(50 * 16, 3)));
  const std::vector<float> queries = random_values(16, 4);
  const SentenceId nearest = matrix_.nearest(queries, 1, 2)[0][0].id;

  const std::string title = store_.vector_sources(std::span(&nearest, 1)).at(0).title;
  store_.delete_document(title);
  matrix_.refresh(store_, set_, kNoLimit);
  EXPECT_EQ(matrix_.rows(), 49U);
  EXPECT_NE(matrix_.nearest(queries, 1, 2)[0][0].id, nearest);

  const Sentence added = store_.add_sentence("A new title", {}, "A new sentence.");
  const auto sources = store_.vector_sources(std::span(&added.id, 1));
  store_.write_vectors(set_, sources, halves_of(queries));
  matrix_.refresh(store_, set_, kNoLimit);
  EXPECT_EQ(matrix_.rows(), 50U);
  EXPECT_EQ(matrix_.nearest(queries, 1, 2)[0][0].id, added.id);
}

TEST_F(StoreMatrixTest, NeverHoldsMoreThanItMay) {
  fill(16, halves_of(random_values(50 * 16, 3)));
  const std::uint64_t bytes = 50 * HalfMatrix::row_bytes(16);
  StoreMatrix matrix;
  EXPECT_EQ(matrix.refresh(store_, set_, bytes - 1), bytes);
  EXPECT_EQ(matrix.rows(), 0U);
  EXPECT_EQ(matrix.refresh(store_, set_, bytes - 1), bytes) << "the same without looking again";
  // Ids are not used again, so that there may be fewer vectors than the last id says.
  store_.delete_document("Title 3");
  EXPECT_EQ(matrix.refresh(store_, set_, bytes - 1), 49 * HalfMatrix::row_bytes(16));
  EXPECT_EQ(matrix.rows(), 49U);
  store_.delete_document("Title 4");
  EXPECT_EQ(matrix.refresh(store_, set_, 0), 48 * HalfMatrix::row_bytes(16));
  EXPECT_EQ(matrix.rows(), 0U);
}

// A file is not to be trusted: its vectors are read through a check, but should a number be none,
// it is the farthest of all.
TEST(HalfMatrixTest, WhatIsNoNumberIsTheFarthest) {
  constexpr std::uint16_t kNan = 0x7E00;
  HalfMatrix matrix;
  matrix.clear(2);
  for (std::int64_t id = 0; id < 40; ++id) {
    const std::uint16_t value = id % 2 == 0 ? kNan : half_from_float(static_cast<float>(40 - id));
    matrix.add(id, std::vector<std::uint16_t>{value, value});
  }
  for (const std::size_t queries : {1U, 8U}) {
    const std::vector<float> query(queries * 2, 0.5F);
    for (const std::vector<Ranked>& found : matrix.nearest(query, 25, 3)) {
      ASSERT_EQ(found.size(), 25U);
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].id, i < 20 ? 39 - 2 * static_cast<std::int64_t>(i)
                                      : 2 * static_cast<std::int64_t>(i - 20));
      }
    }
  }
}

}  // namespace
}  // namespace memmatch::search
