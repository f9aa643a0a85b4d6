#include "memmatch/exemplars.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <random>

#include "base/files.h"
#include "base/float16.h"
#include "support.h"

namespace memmatch {
namespace {

using test::error_of;
using test::TemporaryFolder;

constexpr ContentHash kModel{1, 2, 3};

NewExemplar example(const std::string& claim, Label gold, Label predicted,
                    std::vector<float> difference = {0.5F, 0, 1.25F, 3}) {
  return {.claim = claim,
          .evidence = {{"Moon_", "Moon", 2, "The Moon is round."}, {"", "", 0, "It is cold."}},
          .gold = gold,
          .predicted = predicted,
          .difference = std::move(difference)};
}

std::vector<Exemplar> all_of(Exemplars& exemplars, const ExemplarFilter& filter = {}) {
  std::vector<Exemplar> all;
  exemplars.for_each(filter, [&](const Exemplar& exemplar) { all.push_back(exemplar); });
  return all;
}

class ExemplarsTest : public testing::Test {
 protected:
  Exemplars open(Exemplars::Access access = Exemplars::Access::create) {
    return Exemplars::open(file_, access);
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "e.db";
};

TEST(ExemplarKind, FollowsFromGoldAndPredictedLabelForEachLabel) {
  using enum Label;
  EXPECT_EQ(name_of(kind_for(refutes, refutes, refutes)), "tp");
  EXPECT_EQ(name_of(kind_for(refutes, refutes, unverifiable)), "fn");
  EXPECT_EQ(name_of(kind_for(refutes, supports, refutes)), "fp");
  EXPECT_EQ(name_of(kind_for(refutes, supports, unverifiable)), "tn");
  EXPECT_EQ(name_of(kind_for(refutes, supports, supports)), "tn");
}

TEST_F(ExemplarsTest, WhatWasAddedIsThereWhenOpenedAgain) {
  const ExemplarId id =
      open().add("corrections", kModel, example("A claim.", Label::refutes, Label::supports));
  Exemplars exemplars = open(Exemplars::Access::read);
  const Exemplar found = exemplars.exemplar(id);
  EXPECT_EQ(found.tag, "corrections");
  EXPECT_EQ(found.claim, "A claim.");
  EXPECT_EQ(found.gold, Label::refutes);
  EXPECT_EQ(found.first_gold, Label::refutes);
  EXPECT_EQ(found.predicted, Label::supports);
  EXPECT_EQ(found.evidence, example("", Label::refutes, Label::supports).evidence);
  std::vector<float> difference;
  exemplars.for_each_row(kModel, 0, [&](const Exemplars::Row& row) {
    EXPECT_EQ(row.id, id);
    EXPECT_EQ(row.tag, "corrections");
    for (const std::uint16_t half : row.difference) difference.push_back(float_from_half(half));
  });
  EXPECT_EQ(difference, (std::vector<float>{0.5F, 0, 1.25F, 3}));
  EXPECT_EQ(exemplars.check(), std::vector<std::string>{});
}

TEST_F(ExemplarsTest, RelabellingIsRememberedAndCanBeUndone) {
  Exemplars exemplars = open();
  const ExemplarId id =
      exemplars.add("train", kModel, example("A claim.", Label::supports, Label::supports));
  exemplars.relabel(id, Label::unverifiable);
  EXPECT_EQ(exemplars.exemplar(id).gold, Label::unverifiable);
  EXPECT_EQ(exemplars.exemplar(id).first_gold, Label::supports);
  EXPECT_EQ(exemplars.source("train")->relabelled, 1u);
  exemplars.relabel(id, Label::supports);
  EXPECT_EQ(exemplars.source("train")->relabelled, 0u);
  EXPECT_EQ(error_of([&] { exemplars.relabel(77, Label::supports); }).kind(), ErrorKind::not_found);
}

TEST_F(ExemplarsTest, RemovedIdsAreNotUsedAgain) {
  Exemplars exemplars = open();
  const auto add = [&] {
    return exemplars.add("t", kModel, example("A claim.", Label::supports, Label::supports));
  };
  add();
  const ExemplarId last = add();
  EXPECT_EQ(exemplars.remove(last).id, last);
  EXPECT_GT(add(), last);
  EXPECT_EQ(error_of([&] { exemplars.remove(last); }).kind(), ErrorKind::not_found);
  EXPECT_EQ(exemplars.check(), std::vector<std::string>{});
}

TEST_F(ExemplarsTest, SourcesLiveSideBySide) {
  Exemplars exemplars = open();
  exemplars.add("a", kModel, example("One.", Label::supports, Label::refutes));
  exemplars.add("b", kModel, example("Two.", Label::refutes, Label::refutes));
  exemplars.add("a", kModel, example("Three.", Label::refutes, Label::refutes));
  EXPECT_EQ(all_of(exemplars).size(), 3u);
  EXPECT_EQ(all_of(exemplars, {.tag = "a"}).size(), 2u);
  EXPECT_EQ(all_of(exemplars, {.tag = "a", .gold = Label::refutes}).at(0).claim, "Three.");
  EXPECT_EQ(all_of(exemplars, {.predicted = Label::refutes, .limit = 2}).size(), 2u);
  EXPECT_EQ(exemplars.remove_source("a"), 2u);
  EXPECT_EQ(all_of(exemplars).at(0).claim, "Two.");
  EXPECT_EQ(exemplars.sources().size(), 1u);
  EXPECT_EQ(error_of([&] { exemplars.remove_source("a"); }).kind(), ErrorKind::not_found);
  EXPECT_EQ(exemplars.check(), std::vector<std::string>{});
}

TEST_F(ExemplarsTest, AFileThatWasDeletedIsNotWrittenTo) {
  Exemplars exemplars = open();
  exemplars.add("t", kModel, example("A claim.", Label::supports, Label::supports));
  EXPECT_FALSE(exemplars.has_moved());
  std::filesystem::remove(file_);
  EXPECT_TRUE(exemplars.has_moved());
  EXPECT_EQ(error_of([&] { exemplars.relabel(1, Label::refutes); }).kind(), ErrorKind::conflict);
}

TEST_F(ExemplarsTest, ABuildGoesOnOnlyWithItsOwnSetting) {
  Exemplars exemplars = open();
  EXPECT_EQ(exemplars.begin_build("train", "setting", 5).done, 0u);
  const std::vector<NewExemplar> two{example("One.", Label::supports, Label::supports),
                                     example("Two.", Label::refutes, Label::supports)};
  exemplars.append("train", kModel, two, 0, 3);  // one of three had no evidence
  EXPECT_EQ(exemplars.begin_build("train", "setting", 5).done, 3u);
  EXPECT_FALSE(exemplars.source("train")->complete());
  EXPECT_EQ(error_of([&] { exemplars.begin_build("train", "another", 5); }).kind(),
            ErrorKind::conflict);
  EXPECT_EQ(error_of([&] { exemplars.append("train", kModel, two, 0, 3); }).kind(),
            ErrorKind::conflict);
  exemplars.append("train", kModel, two, 3, 2);
  EXPECT_TRUE(exemplars.source("train")->complete());
  EXPECT_EQ(exemplars.source("train")->exemplars, 4u);
}

TEST_F(ExemplarsTest, BadVectorsChangeNothing) {
  Exemplars exemplars = open();
  exemplars.add("t", kModel, example("A claim.", Label::supports, Label::supports));
  for (const std::vector<float>& difference :
       {std::vector<float>{}, {1, 2, 3}, {1, 2, 3, -1}, {1, 2, 3, NAN}, {1, 2, 3, 1e9F}}) {
    EXPECT_EQ(error_of([&] {
                exemplars.add("new", kModel,
                              example("B.", Label::supports, Label::supports, difference));
              }).kind(),
              ErrorKind::invalid_argument);
  }
  EXPECT_EQ(exemplars.sources().size(), 1u);
  EXPECT_EQ(error_of([&] {
              exemplars.add("", kModel, example("B.", Label::supports, Label::supports));
            }).kind(),
            ErrorKind::invalid_argument);
}

// --- Files that are damaged or not ours ---

class ExemplarDamageTest : public ExemplarsTest {
 protected:
  std::string healthy_bytes() {
    {
      Exemplars exemplars = Exemplars::open(folder_ / "healthy.db", Exemplars::Access::create);
      for (int i = 0; i < 40; ++i) {
        exemplars.add(i % 2 == 0 ? "a" : "b", kModel,
                      example("Claim " + std::to_string(i), Label::supports, Label::refutes,
                              std::vector<float>(300, static_cast<float>(i))));
      }
    }
    return read_file(folder_ / "healthy.db");
  }

  void run_sql(const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file_.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }

  std::string open_error(ErrorKind kind) {
    const Error error = error_of([&] { open(Exemplars::Access::read); });
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with(file_.string())) << error.what();
    return error.what();
  }
};

TEST_F(ExemplarDamageTest, FilesThatAreNotOursSaySo) {
  EXPECT_NE(open_error(ErrorKind::not_found).find("no such exemplar database"), std::string::npos);
  folder_.write("e.db", "");
  EXPECT_NE(open_error(ErrorKind::corrupt).find("is empty"), std::string::npos);
  folder_.write("e.db", "Just some text.");
  EXPECT_NE(open_error(ErrorKind::corrupt).find("no SQLite file"), std::string::npos);
  std::filesystem::remove(file_);
  { Datastore::open(file_, Datastore::Access::create); }
  EXPECT_NE(open_error(ErrorKind::corrupt).find("not a memmatch exemplar database"),
            std::string::npos);
}

TEST_F(ExemplarDamageTest, ADatastoreIsNotAnExemplarDatabaseNorTheOtherWayRound) {
  { open(); }
  EXPECT_EQ(error_of([&] { Datastore::open(file_, Datastore::Access::write); }).kind(),
            ErrorKind::corrupt);
}

TEST_F(ExemplarDamageTest, NewerVersionsAndOtherSchemasAreNotTouched) {
  const std::string bytes = healthy_bytes();
  folder_.write("e.db", bytes);
  run_sql("PRAGMA user_version = 2");
  EXPECT_NE(open_error(ErrorKind::unsupported).find("exemplar database format 2"),
            std::string::npos);
  folder_.write("e.db", bytes);
  run_sql("CREATE TRIGGER evil AFTER INSERT ON exemplars BEGIN DELETE FROM exemplars; END");
  EXPECT_NE(
      open_error(ErrorKind::corrupt).find("'evil' is not part of a memmatch exemplar database"),
      std::string::npos);
}

TEST_F(ExemplarDamageTest, TruncatedFilesSaySo) {
  const std::string bytes = healthy_bytes();
  for (std::size_t size = 1; size < bytes.size(); size += 1 + size / 5) {
    folder_.write("e.db", std::string_view(bytes).substr(0, size));
    EXPECT_NE(open_error(ErrorKind::corrupt).find("is truncated"), std::string::npos) << size;
  }
}

TEST_F(ExemplarDamageTest, WhatDoesNotFitTogetherIsFound) {
  const std::string bytes = healthy_bytes();
  for (const char* sql :
       {"DELETE FROM sources WHERE tag = 'a'", "DELETE FROM models",
        "UPDATE differences SET difference = x'00' WHERE exemplar = 7",
        "DELETE FROM differences WHERE exemplar = 7", "DELETE FROM exemplars WHERE id = 7",
        "UPDATE differences SET difference = replace(difference, substr("
        "difference, 1, 2), x'007c') WHERE exemplar = 3"}) {
    folder_.write("e.db", bytes);
    run_sql(sql);
    EXPECT_FALSE(open(Exemplars::Access::read).check().empty()) << sql;
  }
  folder_.write("e.db", bytes);
  run_sql("UPDATE differences SET difference = x'00' WHERE exemplar = 7");
  Exemplars exemplars = open(Exemplars::Access::read);
  EXPECT_EQ(error_of([&] { exemplars.for_each_row(kModel, 0, [](const auto&) {}); }).kind(),
            ErrorKind::corrupt);
}

TEST_F(ExemplarDamageTest, RandomDamageNeverCrashes) {
  const std::string bytes = healthy_bytes();
  std::mt19937 random(3);
  int noticed = 0;
  for (int round = 0; round < 200; ++round) {
    std::string damaged = bytes;
    const std::size_t start = random() % damaged.size();
    const std::size_t length = std::min<std::size_t>(1 + random() % 500, damaged.size() - start);
    for (std::size_t i = start; i < start + length; ++i) damaged[i] = static_cast<char>(random());
    folder_.write("e.db", damaged);
    try {
      Exemplars exemplars = open(Exemplars::Access::write);
      if (!exemplars.check().empty()) ++noticed;
      exemplars.for_each_row(kModel, 0, [](const auto&) {});
      all_of(exemplars);
      exemplars.relabel(3, Label::refutes);
      exemplars.remove_source("b");
    } catch (const Error&) {
      ++noticed;
    }
    for (const char* ending : {"-wal", "-shm"}) std::filesystem::remove(file_.string() + ending);
  }
  EXPECT_GT(noticed, 50);
}

}  // namespace
}  // namespace memmatch
