#include <gtest/gtest.h>

#include "store_support.h"

namespace memmatch {
namespace {

using test::document;
using test::dump;
using test::error_of;
using test::import_all;
using test::TemporaryFolder;

class ImportTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  Datastore store_ = Datastore::open(folder_ / "s.db", Datastore::Access::create);
  std::vector<NewDocument> input_{document("A", {"a0", "a1", "a2"}), document("B", {"b0"})};
};

TEST_F(ImportTest, TheSameInputAgainChangesNothing) {
  EXPECT_EQ(import_all(store_, input_).new_sentences, 4u);
  const std::string before = dump(store_);
  const ImportReport report = import_all(store_, input_);
  EXPECT_EQ(report.documents, 2u);
  EXPECT_EQ(report.new_documents + report.new_sentences + report.changed_sentences +
                report.removed_sentences,
            0u);
  EXPECT_EQ(dump(store_), before);
}

TEST_F(ImportTest, EditsAndDeletionsSurviveTheSameInput) {
  import_all(store_, input_);
  store_.edit_sentence("A", 0, "edited");
  store_.delete_sentence("A", 1);
  store_.add_sentence("A", {}, "by hand");
  store_.delete_document("B");
  const std::string before = dump(store_);
  EXPECT_EQ(import_all(store_, input_).kept_edits, 0u);
  EXPECT_EQ(dump(store_), before);
  EXPECT_TRUE(store_.check().empty());
}

TEST_F(ImportTest, NewsChangeWhatWasNotTouchedByHand) {
  import_all(store_, input_);
  store_.edit_sentence("A", 0, "edited");
  store_.delete_document("B");
  const ImportReport report = import_all(
      store_,
      {document("A", {"news", "a1 news"}), document("B", {"b0 news"}), document("C", {"c0"})});
  EXPECT_EQ(report.changed_sentences, 1u);
  EXPECT_EQ(report.removed_sentences, 1u);
  EXPECT_EQ(report.new_documents, 1u);
  EXPECT_EQ(report.kept_edits, 2u);
  EXPECT_EQ(dump(store_), "A|A|a\n  1 0 r2 edited edited\n  2 1 r2 a1 news\nC|C|c\n  5 0 r1 c0\n");
  EXPECT_TRUE(store_.check().empty());
}

TEST_F(ImportTest, NewsCanOverwriteEdits) {
  import_all(store_, input_);
  store_.edit_sentence("A", 0, "edited");
  store_.delete_sentence("A", 1);
  store_.add_sentence("A", {}, "by hand");
  store_.delete_document("B");
  import_all(store_, input_, {.overwrite_edits = true});
  EXPECT_EQ(dump(store_), "A|A|a\n  1 0 r3 a0\n  6 1 r1 a1\n  3 2 r1 a2\nB|B|b\n  7 0 r1 b0\n");
  EXPECT_TRUE(store_.check().empty());
}

TEST_F(ImportTest, ASentenceAddedInPlaceOfADeletedOneIsAnEditOfIt) {
  import_all(store_, input_);
  store_.delete_sentence("A", 1);
  store_.add_sentence("A", 1, "instead");
  EXPECT_EQ(import_all(store_, input_).kept_edits, 0u);
  EXPECT_EQ(store_.sentence(store_.find_document("A").id, 1)->text, "instead");
}

TEST_F(ImportTest, WithoutCommitNothingHappened) {
  import_all(store_, input_);
  const std::string before = dump(store_);
  {
    Datastore::Import import = store_.begin_import();
    import.add(document("C", {"c0"}));
    import.add(document("A", {"other"}));
  }
  EXPECT_EQ(dump(store_), before);
}

TEST_F(ImportTest, ATitleTwiceInOneInputIsRefused) {
  import_all(store_, {document("A", {"a0"})});
  Datastore::Import import = store_.begin_import();
  import.add(document("A", {"a0"}));
  import.add(document("B", {"b0"}));
  EXPECT_EQ(error_of([&] { import.add(document("A", {"x"})); }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { import.add(document("B", {"x"})); }).kind(),
            ErrorKind::invalid_argument);
  import.commit();
  EXPECT_EQ(dump(store_), "A|A|a\n  1 0 r1 a0\nB|B|b\n  2 0 r1 b0\n");
}

TEST_F(ImportTest, DocumentsWithoutTitleOrOrderAreRefused) {
  Datastore::Import import = store_.begin_import();
  EXPECT_EQ(error_of([&] { import.add({"", "", {}}); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] {
              import.add({"a", "a", { { -1, "x" } }});
            }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] {
              import.add({"a", "a", { {1, "x"}, { 1, "y" } }});
            }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(import.commit().documents, 0u);
}

TEST_F(ImportTest, TheDisplayedTitleMayChange) {
  import_all(store_, {{"id-1", "Old name", {{0, "x"}}}});
  import_all(store_, {{"id-1", "New name", {{0, "x"}}}});
  EXPECT_EQ(store_.cover("a new name here").documents.size(), 1u);
  EXPECT_TRUE(store_.cover("an old name here").documents.empty());
  EXPECT_TRUE(store_.check().empty());
}

}  // namespace
}  // namespace memmatch
