#include <gtest/gtest.h>

#include "store/document_editor.h"
#include "store_support.h"

namespace memmatch {
namespace {

using test::document;
using test::error_of;
using test::fixture;
using test::TemporaryFolder;

class WordsTest : public testing::Test {
 protected:
  Datastore open(Datastore::Access access = Datastore::Access::write) {
    return Datastore::open(file_, access);
  }

  // The texts that are found, the best first.
  static std::vector<std::string> found(Datastore& store, std::string_view text,
                                        std::size_t limit = 10) {
    std::vector<std::string> texts;
    for (const WordMatch& match : store.by_words(text, limit))
      texts.push_back(store.sentence(match.sentence.id)->text);
    return texts;
  }

  using Texts = std::vector<std::string>;

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "s.db";
};

TEST_F(WordsTest, FindsByStemsWithoutAccentsAndCase) {
  Datastore store = open(Datastore::Access::create);
  test::import_all(
      store, {document("Notes", {"Three bakeries opened.", "The CAF\u00c9 closes.", "Rain."})});
  EXPECT_EQ(found(store, "A bakery"), Texts{"Three bakeries opened."});
  EXPECT_EQ(found(store, "which cafe closed?"), Texts{"The CAF\u00c9 closes."});
  EXPECT_EQ(found(store, "snow"), Texts{});
  EXPECT_EQ(found(store, ""), Texts{});
}

TEST_F(WordsTest, RareWordsAndTitlesCountMore) {
  Datastore store = open(Datastore::Access::create);
  test::import_all(
      store, {document("Harbour", {"The ferry is red.", "It leaves at noon."}),
              document("School", {"The bus is red.", "The door is red.", "The roof is red."})});
  EXPECT_EQ(found(store, "The ferry is red.").at(0), "The ferry is red.");
  EXPECT_EQ(found(store, "The harbour bus is red.", 2).size(), 2u);
  const Texts by_title = found(store, "harbour");
  EXPECT_EQ(by_title, (Texts{"The ferry is red.", "It leaves at noon."})) << "in the order of ids";
}

TEST_F(WordsTest, WhatFtsTakesForItsLanguageIsJustWords) {
  Datastore store = open(Datastore::Access::create);
  test::import_all(store,
                   {document("Notes", {"Near the gate, title and text.", "O'Neil's U.S. car."})});
  for (const char* claim :
       {"\"", "NEAR(gate, 2)", "title : gate", "gate* OR -text", "^gate", "a + b", "{title}: gate",
        "(((", "O'Neil's", "\xff\xfe gate", "'; DROP TABLE sentences; --"})
    EXPECT_NO_THROW(store.by_words(claim, 10)) << claim;
  EXPECT_EQ(found(store, "NEAR(gate)").size(), 1u);
  EXPECT_EQ(found(store, "the o'neil").at(0), "O'Neil's U.S. car.");
  EXPECT_EQ(found(store, "and the of"), Texts{"Near the gate, title and text."})
      << "stop words alone";
}

TEST_F(WordsTest, EveryChangeIsInTheIndex) {
  Datastore store = test::small_store(file_);
  EXPECT_EQ(found(store, "round"), Texts{"It is round."});
  store.edit_sentence("Moon", 2, "It is a sphere.");
  EXPECT_EQ(found(store, "round"), Texts{});
  EXPECT_EQ(found(store, "spheres"), Texts{"It is a sphere."});
  store.add_sentence("Comet", {}, "It has a tail.");
  EXPECT_EQ(found(store, "comets"), Texts{"It has a tail."}) << "by its title";
  store.delete_sentence("Sun (star)", 1);
  EXPECT_EQ(found(store, "hot"), Texts{});
  store.delete_document("Comet");
  EXPECT_EQ(found(store, "comet tail"), Texts{});
  store::DocumentEditor(file_).replace("Earth", std::vector<NewSentence>{{0, "A blue planet."}});
  EXPECT_EQ(found(store, "planets"), Texts{"A blue planet."});
  NewDocument renamed = document("Moon", {"The Moon orbits the Earth."});
  renamed.title = "Luna";
  test::import_all(store, {renamed}, {.overwrite_edits = true});
  EXPECT_EQ(found(store, "luna").size(), 1u);
  EXPECT_EQ(found(store, "sphere"), Texts{});
  EXPECT_EQ(store.check(), Texts{});
}

TEST_F(WordsTest, AnImportThatIsNotCommittedLeavesTheIndexAsItWas) {
  Datastore store = test::small_store(file_);
  {
    Datastore::Import import = store.begin_import();
    import.add(document("Comet", {"It has a tail."}));
  }
  EXPECT_EQ(found(store, "tail"), Texts{});
  EXPECT_EQ(store.check(), Texts{});
}

TEST_F(WordsTest, AnIndexThatIsNotThatOfTheTextsIsFoundAndMended) {
  test::small_store(file_);
  for (const char* damage :
       {"INSERT INTO sentence_words (sentence_words, rowid, text) VALUES ('delete', 1, 'orbits')",
        "INSERT INTO sentence_words (rowid, text) VALUES (77, 'unheard of')",
        "INSERT INTO title_words (title_words, rowid, title) VALUES ('delete', 1, 'moon')",
        "DELETE FROM sentence_words_data WHERE id > 10"}) {
    test::run_sql(file_, damage);
    {
      Datastore reader = open(Datastore::Access::read);
      EXPECT_EQ(reader.check().size(), 1u) << damage;
      EXPECT_THROW(reader.edit_sentence("Moon", 0, "Reading stays reading."), Error);
    }
    Datastore store = open();
    store.repair();
    EXPECT_EQ(store.check(), Texts{}) << damage;
    EXPECT_EQ(found(store, "orbit").size(), 2u) << damage;
  }
}

TEST_F(WordsTest, CandidatesAreOfTheCoverAndTheWords) {
  Datastore store = open(Datastore::Access::create);
  test::import_all(store, {document("2024", {"A dry year."}),
                           document("Town", {"The bakery opened in 2024.", "It rains."})});
  const std::string claim = "The bakery on Mill Street opened in 2024.";
  const auto ids = [&](Candidates which) {
    std::vector<SentenceId> sentences;
    for (const Candidate& one : store.candidates(claim, which).sentences)
      sentences.push_back(one.id);
    return sentences;
  };
  EXPECT_EQ(ids(Candidates::cover), std::vector<SentenceId>{1});
  EXPECT_EQ(ids(Candidates::words), (std::vector<SentenceId>{1, 2}));
  EXPECT_EQ(ids(Candidates::automatic), (std::vector<SentenceId>{1, 2}));
  EXPECT_EQ(store.candidates(claim, Candidates::automatic).documents.size(), 2u);
  EXPECT_EQ(store.candidates("It was a dry year in 2024.", Candidates::automatic).sentences.size(),
            1u)
      << "the title that is named is enough";
  EXPECT_EQ(error_of([&] { store.candidates(claim, Candidates::all); }).kind(),
            ErrorKind::invalid_argument);
}

TEST_F(WordsTest, ADatastoreOfVersion1GetsItsIndexInOneStep) {
  std::filesystem::copy_file(fixture("golden_datastore_v1.sqlite"), file_);
  Datastore other = open();  // was opened before, and must not miss it
  Datastore store = open();
  EXPECT_FALSE(store.has_words());
  EXPECT_EQ(found(store, "ball"), Texts{});
  store.edit_sentence("Moon", 0, "Edited before.");
  const std::string before = test::dump(store);
  EXPECT_TRUE(store.add_words());
  EXPECT_FALSE(store.add_words());
  EXPECT_EQ(store.stats().format_version, 2);
  EXPECT_EQ(test::dump(store), before);
  EXPECT_EQ(found(store, "balls"), Texts{"It is a ball."});
  other.edit_sentence("Moon", 0, "Edited by the other.");
  EXPECT_EQ(found(other, "edits"), Texts{"Edited by the other."});
  EXPECT_EQ(store.check(), Texts{});
}

}  // namespace
}  // namespace memmatch
