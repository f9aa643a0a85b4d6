#include "data/file_documents.h"

#include <gtest/gtest.h>

#include "base/child_process.h"
#include "packed.h"
#include "support.h"

namespace memmatch::data {
namespace {

using test::error_of;
using test::TemporaryFolder;
using Strings = std::vector<std::string>;

// "title: sentence / sentence" of each document.
Strings read_all(FileDocuments& reader) {
  Strings all;
  for (NewDocument document; reader.next(document);) {
    std::string text = document.title + ":";
    for (const NewSentence& sentence : document.sentences) text += " / " + sentence.text;
    all.push_back(text);
  }
  return all;
}

FileDocuments open(const Strings& paths, const FileOptions& options = {}) {
  return {find_files(paths), options};
}

Strings documents(const Strings& paths, const FileOptions& options = {}) {
  FileDocuments reader = open(paths, options);
  return read_all(reader);
}

class FileDocumentsTest : public testing::Test {
 protected:
  Strings of(const std::string& name, std::string_view content) {
    return documents({folder_.write(name, content).string()});
  }
  Error error(const std::string& name, std::string_view content) {
    return error_of([&] { of(name, content); });
  }

  TemporaryFolder folder_;
};

TEST_F(FileDocumentsTest, PlainTextIsKnownByItsName) {
  EXPECT_EQ(of("2024.txt", "The bakery opened\nin May. It sells bread.\n"),
            Strings{"2024.txt: / The bakery opened in May. / It sells bread."});
  EXPECT_EQ(of("notes", "One is. Two is."), Strings{"notes: / One is. / Two is."});
}

TEST_F(FileDocumentsTest, HeadingsOfMarkdownMakeTitles) {
  EXPECT_EQ(
      of("policy.md",
         "---\nauthor: nobody\n---\n"
         "All of it is *old*.\n\n"
         "# Leave policy\n\nThere are **28** days, see [here](x.html).\n\n"
         "## Carry-over\n\n- Up to five days\n- `None` in May &amp; June\n\n"
         "| City | Rate |\n|---|---|\n| Oslo | 81 |\n\n"
         "## Nothing else\n\n# Travel\n\nBy train.\n<!-- not this -->\n"),
      (Strings{"policy.md: / All of it is old.",
               "policy.md › Leave policy: / There are 28 days, see here.",
               "policy.md › Leave policy › Carry-over: / Up to five days / None in May & June "
               "/ City | Rate / Oslo | 81",
               "policy.md › Leave policy: / Nothing else", "policy.md › Travel: / By train."}));
}

TEST_F(FileDocumentsTest, OfAPageTheMainPartIsRead) {
  EXPECT_EQ(of("page.html",
               "<!DOCTYPE html><html><head><title>Lamps</title><style>p {}</style></head><body>"
               "<nav>Home</nav><div>Buy now!</div><main><h1>Lamps</h1><p>A lamp<b>shade</b> is "
               "round.<script>var x = 'The moon';</script></p><ul><li>One<li>Two</ul>"
               "<table><tr><td>Red</td><td>5 euros</td></tr></table></main>"
               "<footer>Nobody</footer></body></html>"),
            Strings{"page.html › Lamps: / A lampshade is round. / One / Two / Red | 5 euros"});
  EXPECT_EQ(of("old.htm", "<html><title>Lamps</title><p hidden>No.<p>Caf\xE9s have some.<br>Yes."),
            Strings{"old.htm › Lamps: / Cafés have some. / Yes."});
  EXPECT_EQ(of("pre.html", "<html><pre>The bridge is\nmade of stone.</pre>"),
            Strings{"pre.html: / The bridge is made of stone."});
}

TEST_F(FileDocumentsTest, WordDocumentsHaveHeadingsByStyle) {
  EXPECT_EQ(documents({test::fixture("files/travel.docx").string()}),
            (Strings{"travel.docx › Travel rules › Hotels: / A night may cost up to 120 euros. / "
                     "Breakfast is paid extra.",
                     "travel.docx › Travel rules › Trains: / First class is for journeys of over "
                     "four hours. / City | Daily rate / Lisbon | 54 euros / Oslo | 81 euros"}));
}

TEST_F(FileDocumentsTest, PagesArePlaces) {
  if (!find_program("pdftotext")) GTEST_SKIP() << "pdftotext is not installed";
  EXPECT_EQ(
      documents({test::fixture("files/handbook.pdf").string()}),
      (Strings{
          "handbook.pdf, page 1: / Staff handbook / Every employee has 28 days of paid leave a "
          "year. / Up to five days may be carried over to the next year, if the manager agrees "
          "in writing before the end of November. / Laptops are replaced after four years. / "
          "The old ones are given to schools in the neighbourhood of the office, unless "
          "somebody of the staff wants to buy one for forty euros.",
          "handbook.pdf, page 2: / The canteen opens at noon. / It closes at 2 p.m. on "
          "Fridays."}));
}

TEST_F(FileDocumentsTest, JsonLinesAreKnownByTheirFields) {
  EXPECT_EQ(of("a.jsonl", R"({"title": "A", "text": "One is."})"), Strings{"A: / One is."});
  EXPECT_EQ(of("b.jsonl", R"({"_id": "d", "title": "B", "text": "Two is."})"),
            Strings{"B: / Two is."});
  EXPECT_EQ(of("c.jsonl", R"({"id": "C_x", "text": "t", "lines": "0\tThree is ."})"),
            Strings{"C x: / Three is."});
  EXPECT_EQ(
      of("d.json", R"({"_id": "1", "wikipedia_id": "1", "wikipedia_title": "D", "text": )"
                   R"(["D\n", "Four is.\n", "Section::::Five.\n", "BULLET::::- Six is.\n"]})"),
      Strings{"D: / Four is. / Six is."});
  EXPECT_NE(std::string(error("e.jsonl", R"({"claim": "x"})").what()).find("no documents"),
            std::string::npos);
}

TEST_F(FileDocumentsTest, RowsOfCsvAreSentences) {
  EXPECT_EQ(of("rates.csv", "city,rate\nOslo,81\nLisbon,54\n"),
            Strings{"rates.csv: / city,rate / Oslo,81 / Lisbon,54"});
}

TEST_F(FileDocumentsTest, PackedFilesAreWhatIsInThem) {
  EXPECT_EQ(of("a.md.gz", test::packed(".gz", "# A\n\nOne is.")), Strings{"a.md › A: / One is."});
  EXPECT_EQ(of("b.html.xz", test::packed(".xz", "<p>Two is.")), Strings{"b.html: / Two is."});
  EXPECT_EQ(of("c.txt.zst", test::packed(".zst", "Three is.")), Strings{"c.txt: / Three is."});
}

TEST_F(FileDocumentsTest, FoldersAreReadWithTheFoldersInThem) {
  std::filesystem::create_directories(folder_ / "in" / "ner");
  std::filesystem::create_directory_symlink("..", folder_ / "in" / "again");
  folder_.write("b.txt", "Two is.");
  folder_.write("in/ner/a.txt", "One is.");
  folder_.write("in/a.txt", "Three is.");
  folder_.write("in/.hidden.txt", "Four is.");
  folder_.write("in/style.css", "p {}");
  FileDocuments reader = open({folder_.path().string(), (folder_ / "b.txt").string()});
  EXPECT_EQ(left_out_text(reader.found()), "1 .css");
  NewDocument document;
  Strings names;
  while (reader.next(document)) names.push_back(document.raw_title);
  EXPECT_EQ(names, (Strings{(folder_ / "b.txt").string(), (folder_ / "in/a.txt").string(),
                            (folder_ / "in/ner/a.txt").string()}));
  EXPECT_EQ(error_of([&] { find_files(Strings{(folder_ / "none").string()}); }).kind(),
            ErrorKind::not_found);
}

TEST_F(FileDocumentsTest, AFileThatCannotBeReadIsNamedAndTheRestIsReadWhereAsked) {
  folder_.write("a.txt", "One is.");
  folder_.write("b.txt", std::string("\x01\0\x02\x03", 4));
  folder_.write("c.jsonl", R"({"title": "C", "text": "Two is."})"
                           "\nno JSON\n");
  folder_.write("d.doc", "\xD0\xCF\x11\xE0 old");
  folder_.write("e.txt", "Three is.");
  const std::string path = folder_.path().string();
  EXPECT_TRUE(std::string(error_of([&] { documents({path}); }).what())
                  .starts_with((folder_ / "b.txt").string() + ": this is no text"));
  FileDocuments reader = open({path}, {.skip_bad_files = true});
  EXPECT_EQ(read_all(reader), (Strings{"a.txt: / One is.", "C: / Two is.", "e.txt: / Three is."}));
  EXPECT_EQ(reader.bad_files().count, 3u);
  ASSERT_EQ(reader.bad_files().examples.size(), 3u);
  EXPECT_NE(reader.bad_files().examples[2].find("d.doc: this is an older file"), std::string::npos);
}

TEST_F(FileDocumentsTest, TheSameHeadingTwiceIsTwoDocuments) {
  FileDocuments reader = open({folder_.write("a.md", "# A\n\nx y\n\n# A\n\nz\n").string()});
  NewDocument first;
  NewDocument second;
  ASSERT_TRUE(reader.next(first) && reader.next(second));
  EXPECT_EQ(first.title, second.title);
  EXPECT_EQ(second.raw_title, first.raw_title + " (2)");
}

// --- Files that mean harm ---

TEST_F(FileDocumentsTest, WhatUnpacksToTooMuchIsRefused) {
  const std::string zeros = test::packed(".gz", std::string(2'000'000, '\0'));
  const std::string packed = folder_.write("zeros.txt.gz", zeros).string();
  EXPECT_NE(std::string(error_of([&] { documents({packed}, {.largest = 1 << 20}); }).what())
                .find("more than 1 MB, unpacked"),
            std::string::npos);
  const std::string blanks = test::fixture("files/blanks.docx").string();
  EXPECT_EQ(error_of([&] { documents({blanks}, {.largest = 1 << 20}); }).kind(),
            ErrorKind::unsupported);
}

TEST_F(FileDocumentsTest, XmlThatDeclaresEntitiesIsRefused) {
  EXPECT_EQ(error_of([] { documents({test::fixture("files/entities.docx").string()}); }).kind(),
            ErrorKind::unsupported);
}

TEST_F(FileDocumentsTest, ArchivesThatAreNoDocumentsAreRefused) {
  EXPECT_NE(
      std::string(error_of([] { documents({test::fixture("files/other.zip").string()}); }).what())
          .find("no .docx"),
      std::string::npos);
  EXPECT_EQ(error("a.docx", "PK\3\4 and then nothing").kind(), ErrorKind::corrupt);
  EXPECT_EQ(error("b.docx", "no archive").kind(), ErrorKind::corrupt);
  // The list of files is said to have 2 GB.
  EXPECT_EQ(
      error("c.docx", std::string("PK\3\4PK\5\6\0\0\0\0\1\0\1\0\0\0\0\x7F\0\0\0\0\0\0", 26)).kind(),
      ErrorKind::unsupported);
}

TEST_F(FileDocumentsTest, DeepNestingIsRefused) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<div><b>";
  EXPECT_EQ(error("deep.html", deep).kind(), ErrorKind::unsupported);
  std::string quotes(100'000, '>');
  quotes += " x";
  EXPECT_EQ(error("deep.md", quotes).kind(), ErrorKind::unsupported);
}

TEST_F(FileDocumentsTest, ReferencesThatGrowAreRefused) {
  std::string bomb = "[x]: " + std::string(20'000, 'u') + "\n\n";
  for (int i = 0; i < 60'000; ++i) bomb += "[x]";
  EXPECT_EQ(error("bomb.md", bomb).kind(), ErrorKind::unsupported);
  EXPECT_EQ(of("few.md", "See [x] and [y].\n\n[x]: a.html\n[y]: b.html\n"),
            Strings{"few.md: / See x and y."});
}

TEST_F(FileDocumentsTest, AMillionTagsAreAPage) {
  std::string flat = "<p>One is.</p>";
  for (int i = 0; i < 300'000; ++i) flat += "<br><i></i>";
  EXPECT_EQ(of("flat.html", flat), Strings{"flat.html: / One is."});
}

TEST_F(FileDocumentsTest, BrokenPdfIsAnError) {
  if (!find_program("pdftotext")) GTEST_SKIP() << "pdftotext is not installed";
  const Error broken = error("a.pdf", "%PDF-1.4\nnothing of the kind");
  EXPECT_EQ(broken.kind(), ErrorKind::corrupt);
  EXPECT_TRUE(std::string(broken.what()).starts_with((folder_ / "a.pdf").string()));
}

}  // namespace
}  // namespace memmatch::data
