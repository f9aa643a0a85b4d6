#include "memmatch/datastore.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "store/sqlite.h"
#include "store_support.h"

namespace memmatch {
namespace {

using test::error_of;
using test::small_store;
using test::TemporaryFolder;

TEST(Datastore, DocumentsAreFoundByRawAndDisplayedTitle) {
  const TemporaryFolder folder;
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
  test::import_all(store, {{"Bones_-LRB-TV-RRB-", "Bones (TV)", {{0, "A series."}}}});
  const Document document = store.find_document("Bones_-LRB-TV-RRB-");
  EXPECT_EQ(document.title, "Bones (TV)");
  EXPECT_EQ(document.match_key, "bones");
  EXPECT_EQ(store.find_document("Bones (TV)").id, document.id);
  EXPECT_EQ(error_of([&] { store.find_document("Bones"); }).kind(), ErrorKind::not_found);
}

TEST(Datastore, TitlesThatLookAlikeMustBeToldApart) {
  const TemporaryFolder folder;
  Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
  test::import_all(store, {{"d1", "Same", {}}, {"d2", "Same", {}}});
  const Error error = error_of([&] { store.find_document("Same"); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("'d1' or 'd2'"), std::string::npos) << error.what();
  EXPECT_EQ(store.find_document("d2").raw_title, "d2");
}

TEST(Datastore, CoverGivesNonBlankSentencesOfTitlesInTheClaim) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  const Cover cover = store.cover("The moon circles the SUN, not a planet.");
  ASSERT_EQ(cover.documents.size(), 2u);
  EXPECT_EQ(cover.documents[0].title, "Moon");
  EXPECT_EQ(cover.documents[1].title, "Sun (star)");
  const DocumentId moon = cover.documents[0].id;
  const DocumentId sun = cover.documents[1].id;
  EXPECT_EQ(cover.sentences,
            (std::vector<Candidate>{{1, moon, 0}, {3, moon, 2}, {5, sun, 0}, {6, sun, 1}}));
  EXPECT_TRUE(store.cover("Nothing here").sentences.empty());
}

TEST(Datastore, EditKeepsIdAndPastHashes) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  const Sentence before = *store.sentence(store.find_document("Moon").id, 0);
  EXPECT_FALSE(before.edited());
  const Sentence after = store.edit_sentence("Moon", 0, "The  Moon orbits Mars. ");
  EXPECT_EQ(after.id, before.id);
  EXPECT_EQ(after.text, "The Moon orbits Mars.");
  EXPECT_EQ(after.hash, content_hash("The Moon orbits Mars."));
  EXPECT_EQ(after.revision, 2);
  EXPECT_TRUE(after.edited());
  store.edit_sentence("Moon", 0, "The Moon is cheese.");
  const std::vector<PastRevision> history = store.history(before.id);
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history[0].revision, 1);
  EXPECT_EQ(history[0].hash, before.hash);
  EXPECT_EQ(history[1].hash, after.hash);
}

TEST(Datastore, EditingBackToTheImportedTextIsNoLongerAnEdit) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  store.edit_sentence("Earth", 0, "The Earth is flat.");
  const Sentence back = store.edit_sentence("Earth", 0, "The Earth orbits the Sun.");
  EXPECT_FALSE(back.edited());
  EXPECT_EQ(back.revision, 3);
}

TEST(Datastore, EditToTheSameTextChangesNothing) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  EXPECT_EQ(store.edit_sentence("Earth", 0, "The Earth orbits the Sun.").revision, 1);
}

TEST(Datastore, AddedSentencesComeAfterTheLastAndMakeDocuments) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  EXPECT_EQ(store.add_sentence("Moon", {}, "It has craters.").number, 3);
  EXPECT_EQ(store.add_sentence("Moon", 9, "It has dust.").number, 9);
  const Sentence mars = store.add_sentence("Mars (planet)", {}, "Mars is red.");
  EXPECT_EQ(mars.number, 0);
  EXPECT_FALSE(mars.imported.has_value());
  EXPECT_TRUE(mars.edited());
  EXPECT_EQ(store.cover("Is Mars red?").documents.size(), 1u);
  EXPECT_EQ(error_of([&] { store.add_sentence("Moon", 9, "Again."); }).kind(), ErrorKind::conflict);
}

TEST(Datastore, IdsAreNeverReused) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  const Sentence last = store.add_sentence("Moon", {}, "It has craters.");
  store.delete_sentence("Moon", last.number);
  EXPECT_FALSE(store.sentence(last.id).has_value());
  EXPECT_EQ(store.history(last.id).size(), 1u);
  const Sentence next = store.add_sentence("Moon", last.number, "It has craters.");
  EXPECT_GT(next.id, last.id);
  const DocumentId document = store.find_document("Moon").id;
  store.delete_document("Moon");
  store.add_sentence("Moon", {}, "New Moon.");
  EXPECT_GT(store.find_document("Moon").id, document);
}

TEST(Datastore, WhatCannotBeDoneIsRefused) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  EXPECT_EQ(error_of([&] { store.edit_sentence("Moon", 7, "x"); }).kind(), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { store.edit_sentence("Pluto", 0, "x"); }).kind(), ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { store.edit_sentence("Moon", 0, " "); }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { store.add_sentence("", {}, "x"); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { store.delete_sentence("Moon", 7); }).kind(), ErrorKind::not_found);
  EXPECT_TRUE(store.check().empty());
}

TEST(Datastore, TextsAreStoredWellFormed) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  const std::string text("a\0b \xff", 5);
  EXPECT_EQ(store.add_sentence("Moon", {}, text).text, std::string("a\0b \uFFFD", 7));
  EXPECT_TRUE(store.check().empty());
}

TEST(Datastore, StatsCount) {
  const TemporaryFolder folder;
  Datastore store = small_store(folder / "s.db");
  store.edit_sentence("Moon", 0, "Edited.");
  store.add_sentence("Moon", {}, "Added.");
  store.delete_sentence("Sun (star)", 1);
  const DatastoreStats stats = store.stats();
  EXPECT_EQ(stats.documents, 3u);
  EXPECT_EQ(stats.sentences, 6u);
  EXPECT_EQ(stats.blank_sentences, 1u);
  EXPECT_EQ(stats.edited_sentences, 1u);
  EXPECT_EQ(stats.added_sentences, 1u);
  EXPECT_EQ(stats.deleted_sentences, 1u);
}

// In a process of its own, which has no right to write to the folder even where this one is root.
bool somebody_else_can_read(const std::filesystem::path& file) {
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
    try {
      _exit(Datastore::open(file, Datastore::Access::read).stats().documents > 0 ? 0 : 1);
    } catch (const Error&) {
      _exit(1);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Datastore, AFileWithoutALogIsReadWithoutTheRightToWrite) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  small_store(file);
  using std::filesystem::perms;
  std::filesystem::permissions(folder.path(), perms{0555});
  EXPECT_FALSE(somebody_else_can_read(file));
  std::filesystem::permissions(folder.path(), perms{0755});
  {
    store::Connection connection(file.string(), SQLITE_OPEN_READWRITE, file.string());
    ASSERT_EQ(connection.query_text("PRAGMA journal_mode = DELETE"), "delete");
  }
  std::filesystem::permissions(folder.path(), perms{0555});
  EXPECT_TRUE(somebody_else_can_read(file));
  std::filesystem::permissions(folder.path(), perms{0755});
}

}  // namespace
}  // namespace memmatch
