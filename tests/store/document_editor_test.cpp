#include "store/document_editor.h"

#include <gtest/gtest.h>

#include "store_support.h"

namespace memmatch {
namespace {

using store::DocumentEditor;
using test::error_of;
using test::TemporaryFolder;
using Sentences = std::vector<NewSentence>;

// "é" as "e" and a combining accent, as macOS has it in file names; and two blanks.
constexpr const char* kOddTitles[] = {"Cafe\u0301", "Two  blanks", " around ", "plain"};

TEST(DocumentEditor, FindsDocumentsByTheTitlesThatTheyWereImportedWith) {
  for (const char* title : kOddTitles) {
    const TemporaryFolder folder;
    Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
    test::import_all(store, {test::document(title, {"Old.", "Stays."})});
    DocumentEditor editor(folder / "s.db");
    const auto previous =
        editor.replace(store.find_document(title).raw_title, Sentences{{0, "New."}, {1, "Stays."}});
    ASSERT_TRUE(previous) << title;
    EXPECT_EQ(previous->at(0).text, "Old.");
    EXPECT_EQ(store.stats().documents, 1u) << title;
    EXPECT_EQ(store.sentences(store.find_document(title).id).at(0).text, "New.");
    EXPECT_EQ(store.sentences(store.find_document(title).id).at(1).revision, 1);
  }
}

// What is made by hand under a source's name is that document when the source is imported.
TEST(DocumentEditor, MakesDocumentsThatAnImportMeets) {
  for (const char* title : kOddTitles) {
    const TemporaryFolder folder;
    Datastore store = Datastore::open(folder / "s.db", Datastore::Access::create);
    EXPECT_FALSE(DocumentEditor(folder / "s.db").replace(title, Sentences{{0, "By hand."}}));
    EXPECT_EQ(test::import_all(store, {test::document(title, {"Imported.", "Two."})}).kept_edits,
              1u);
    EXPECT_EQ(store.stats().documents, 1u) << title;
    store.add_sentence(title, {}, "Three.");
    EXPECT_EQ(store.stats().documents, 1u) << title;
    EXPECT_EQ(store.sentences(store.find_document(title).id).size(), 3u);
    EXPECT_TRUE(store.check().empty());
  }
}

TEST(DocumentEditor, WhatGoesStaysAwayAndWhatComesBackIsAnEdit) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  DocumentEditor editor(folder / "s.db");
  editor.replace("Moon", Sentences{{0, "The Moon orbits the Earth."}});
  EXPECT_EQ(store.sentences(store.find_document("Moon").id).size(), 1u);
  test::import_all(store,
                   {test::document("Moon", {"The Moon orbits the Earth.", "", "It is round."})});
  EXPECT_EQ(store.sentences(store.find_document("Moon").id).size(), 1u);
  editor.replace("Moon", Sentences{{2, "It is a ball."}});
  EXPECT_TRUE(store.sentences(store.find_document("Moon").id).at(0).edited());
  EXPECT_TRUE(store.check().empty());
}

TEST(DocumentEditor, RefusesNumbersBelowZeroOrTwiceAndBlankTitles) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  DocumentEditor editor(folder / "s.db");
  for (const Sentences& sentences : {Sentences{{-1, "x"}}, Sentences{{1, "x"}, {1, "y"}}}) {
    EXPECT_EQ(error_of([&] { editor.replace("Moon", sentences); }).kind(),
              ErrorKind::invalid_argument);
  }
  EXPECT_EQ(error_of([&] { editor.replace(" \t", {}); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(store.stats().sentences, 6u);
}

}  // namespace
}  // namespace memmatch
