#include <gtest/gtest.h>

#include "base/float16.h"
#include "base/hash.h"
#include "memmatch/exemplars.h"
#include "store_support.h"

// Files that were written once, by the version that introduced their formats, and are read for
// ever.

namespace memmatch {
namespace {

using test::fixture;
using test::TemporaryFolder;

// A copy, since SQLite makes files beside it.
std::filesystem::path copy_of(const char* name, const TemporaryFolder& folder) {
  std::filesystem::copy_file(fixture(name), folder / name);
  return folder / name;
}

TEST(Golden, DatastoreOfVersion1) {
  const TemporaryFolder folder;
  Datastore store =
      Datastore::open(copy_of("golden_datastore_v1.sqlite", folder), Datastore::Access::write);
  EXPECT_EQ(store.check(), std::vector<std::string>{});
  EXPECT_EQ(test::dump(store),
            "Moon|Moon|moon\n"
            "  1 0 r1 The Moon orbits the Earth.\n"
            "  2 1 r1 \n"
            "  3 2 r2 edited It is a ball.\n"
            "Cafe\u0301_-LRB-bar-RRB-|Caf\u00e9 (bar)|caf\u00e9\n"
            "  4 0 r1 The caf\u00e9 opens at noon.\n"
            "  7 2 r1 edited It closes at midnight.\n");
  EXPECT_EQ(to_hex(store.sentence(1)->hash), "d77eefec5651a763f5a177476d9b8bff");
  EXPECT_EQ(store.history(3).size(), 1u);
  EXPECT_EQ(store.history(5).size(), 1u);  // of the one that was deleted
  const DatastoreStats stats = store.stats();
  EXPECT_EQ(stats.format_version, 1);
  EXPECT_EQ(stats.deleted_sentences, 2u);
  EXPECT_EQ(stats.added_sentences, 1u);
  const ContentHash model{0xAB, 0xCD};
  const std::optional<VectorSet> set = store.vector_set(model, 3);
  ASSERT_TRUE(set);
  std::vector<std::uint16_t> vector(3);
  ASSERT_TRUE(store.read_vector(*set, 1, vector));
  EXPECT_EQ(vector, (std::vector<std::uint16_t>{half_from_float(1), half_from_float(-0.5F),
                                                half_from_float(0)}));
  EXPECT_EQ(store.without_vector(*set, 0, 10).size(), 3u);
  EXPECT_EQ(store.cover("The CAF\u00c9 and the moon").documents.size(), 2u);
  store.edit_sentence("Moon", 0, "It can be written, too.");
  EXPECT_EQ(store.check(), std::vector<std::string>{});
}

// With indexes of words.
TEST(Golden, DatastoreOfVersion2) {
  const TemporaryFolder folder;
  Datastore store =
      Datastore::open(copy_of("golden_datastore_v2.sqlite", folder), Datastore::Access::write);
  EXPECT_EQ(store.check(), std::vector<std::string>{});
  EXPECT_EQ(test::dump(store),
            "Moon|Moon|moon\n"
            "  1 0 r1 The Moon orbits the Earth.\n"
            "  2 1 r1 \n"
            "  3 2 r2 edited It is a ball.\n"
            "Caf\u00e9_(bar)|Caf\u00e9 (bar)|caf\u00e9\n"
            "  4 0 r1 The caf\u00e9 opens at noon.\n"
            "  8 2 r1 edited It closes at midnight.\n"
            "Sun|Sun|sun\n"
            "  6 0 r2 edited The Sun is an old star.\n"
            "  7 1 r1 A cat sat in the sun.\n");
  EXPECT_EQ(store.stats().format_version, 2);
  EXPECT_TRUE(store.has_words());
  const auto first_by_words = [&](const char* text) {
    const std::vector<WordMatch> found = store.by_words(text, 5);
    return found.empty() ? 0 : found.front().sentence.id;
  };
  EXPECT_EQ(first_by_words("when a bar closed"), 8);
  EXPECT_EQ(first_by_words("old stars"), 6);
  EXPECT_EQ(first_by_words("nobody knows"), 0) << "it was deleted";
  const std::vector<VectorSet> sets = store.vector_sets();
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(to_hex(sets[0].fingerprint), "6f7cd96dff12498c017a3b56ca649e74");
  std::vector<std::uint16_t> vector(5);
  ASSERT_TRUE(store.read_vector(sets[0], 7, vector));
  EXPECT_EQ(vector, (std::vector<std::uint16_t>{0x3C9E, 0x3581, 0x3A27, 0x31D9, 0x3C24}));
  EXPECT_EQ(store.without_vector(sets[0], 0, 10).size(), 1u);  // of the edited one
  store.edit_sentence("Moon", 0, "The Moon is far.");
  EXPECT_EQ(first_by_words("orbits"), 0);
  EXPECT_EQ(first_by_words("how far"), 1);
  EXPECT_EQ(store.check(), std::vector<std::string>{});
}

TEST(Golden, ExemplarDatabaseOfVersion1) {
  const TemporaryFolder folder;
  Exemplars exemplars =
      Exemplars::open(copy_of("golden_exemplars_v1.sqlite", folder), Exemplars::Access::write);
  EXPECT_EQ(exemplars.check(), std::vector<std::string>{});
  const std::vector<ExemplarSource> sources = exemplars.sources();
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].tag, "train");
  EXPECT_EQ(sources[0].setting, "{\"k1\":100}");
  EXPECT_EQ(sources[0].done, 3u);
  EXPECT_EQ(sources[0].total, 5u);
  EXPECT_EQ(sources[0].exemplars, 2u);
  EXPECT_EQ(sources[0].relabelled, 1u);
  EXPECT_EQ(sources[1].tag, "corrections");
  const Exemplar first = exemplars.exemplar(1);
  EXPECT_EQ(first.claim, "The Moon is a cube.");
  EXPECT_EQ(first.gold, Label::refutes);
  EXPECT_EQ(first.first_gold, Label::unverifiable);
  EXPECT_EQ(first.predicted, Label::supports);
  EXPECT_EQ(first.evidence,
            (std::vector<GivenEvidence>{{"Moon", "Moon", 2, "It is a ball."},
                                        {"Earth", "Earth", 0, "The Earth orbits the Sun."}}));
  std::vector<std::string> rows;
  exemplars.for_each_row({0xAB, 0xCD}, 0, [&](const Exemplars::Row& row) {
    std::string line = std::to_string(row.id) + " " + std::string(row.tag);
    for (const std::uint16_t half : row.difference)
      line += " " + std::to_string(float_from_half(half)).substr(0, 4);
    rows.push_back(line);
  });
  EXPECT_EQ(rows,
            (std::vector<std::string>{"1 train 0.50 0.00 1.25 3.00", "2 train 0.00 0.00 0.00 1.00",
                                      "3 corrections 2.00 0.00 1.00 0.25"}));
  exemplars.relabel(2, Label::refutes);
  EXPECT_EQ(exemplars.check(), std::vector<std::string>{});
}

}  // namespace
}  // namespace memmatch
