#include "data/documents.h"

#include <gtest/gtest.h>

#include "packed.h"
#include "support.h"

namespace memmatch::data {
namespace {

using test::error_of;
using test::TemporaryFolder;

std::vector<NewDocument> read_all(DocumentFormat format, const std::filesystem::path& path) {
  const auto reader = open_documents(format, path);
  std::vector<NewDocument> documents;
  for (NewDocument document; reader->next(document);) documents.push_back(document);
  return documents;
}

std::vector<std::string> texts(const NewDocument& document) {
  std::vector<std::string> all;
  for (const NewSentence& sentence : document.sentences) {
    all.push_back(std::to_string(sentence.number) + ":" + sentence.text);
  }
  return all;
}

using Strings = std::vector<std::string>;

TEST(FeverWiki, ReadsTheFolderInTheOrderOfNames) {
  const TemporaryFolder folder;
  folder.write("wiki-002.jsonl", R"({"id": "B_-LRB-x-RRB-", "text": "t", "lines": "0\tSecond ."})");
  folder.write("wiki-001.jsonl",
               R"({"id": "A", "text": "t", "lines": "0\tFirst , yes .\tlink\tlink\n1\t\n3\tGap"})");
  folder.write("notes.jsonl", "not for us");
  const auto documents = read_all(DocumentFormat::fever_wiki, folder / "");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].raw_title, "A");
  EXPECT_EQ(texts(documents[0]), (Strings{"0:First, yes.", "1:", "3:Gap"}));
  EXPECT_EQ(documents[1].title, "B (x)");
}

TEST(FeverWiki, FilesMayBePacked) {
  const TemporaryFolder folder;
  folder.write("wiki-001.jsonl.xz",
               test::packed(".xz", R"({"id": "A", "text": "t", "lines": "0\tFirst ."})"));
  folder.write("wiki-002.jsonl.zst",
               test::packed(".zst", R"({"id": "B", "text": "t", "lines": "0\tSecond ."})"));
  folder.write("wiki-003.txt.gz", test::packed(".gz", "not for us"));
  const auto documents = read_all(DocumentFormat::fever_wiki, folder / "");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(texts(documents[0]), Strings{"0:First."});
  EXPECT_EQ(texts(documents[1]), Strings{"0:Second."});
}

TEST(FeverWiki, AFileThatIsThereTwiceIsRefused) {
  const TemporaryFolder folder;
  const std::string page = R"({"id": "A", "text": "t", "lines": "0\tFirst ."})";
  folder.write("wiki-001.jsonl", page);
  folder.write("wiki-001.jsonl.gz", test::packed(".gz", page));
  const Error error = error_of([&] { read_all(DocumentFormat::fever_wiki, folder / ""); });
  EXPECT_EQ(error.kind(), ErrorKind::conflict);
  EXPECT_NE(std::string(error.what()).find("wiki-001.jsonl: also there as wiki-001.jsonl.gz"),
            std::string::npos)
      << error.what();
}

TEST(PlainText, ThePackingIsNotPartOfTheTitle) {
  const TemporaryFolder folder;
  const auto file = folder.write("The_Moon.txt.gz", test::packed(".gz", "It is round."));
  EXPECT_EQ(read_all(DocumentFormat::text, file).at(0).title, "The Moon");
}

TEST(FeverWiki, PagesWithoutTitleOrTextAreLeftOut) {
  const TemporaryFolder folder;
  const auto file = folder.write("w.jsonl",
                                 "{\"id\": \"\", \"text\": \"t\", \"lines\": \"\"}\n"
                                 "{\"id\": \"a\", \"text\": \"\", \"lines\": \"\"}\n");
  EXPECT_TRUE(read_all(DocumentFormat::fever_wiki, file).empty());
}

TEST(FeverWiki, LinesWithoutNumberAreCountedAndRepeatedNumbersOverwrite) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "w.jsonl",
      R"({"id": "a", "text": "t", "lines": "0\told\nno number\nx\ty\n-1\tz\n0\tnew\n"})");
  const auto reader = open_documents(DocumentFormat::fever_wiki, file);
  NewDocument document;
  ASSERT_TRUE(reader->next(document));
  EXPECT_EQ(texts(document), Strings{"0:new"});
  EXPECT_EQ(reader->ignored_sentence_lines(), 3u);
}

TEST(PlainJson, SentencesOrText) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "d.jsonl", R"({"title": "A", "sentences": [" One. ", "Two."]})"
                 "\n"
                 R"({"title": "B", "text": "One is. Two is.\nThree."})"
                 "\n"
                 R"({"title": "C", "id": "raw-c", "sentences": ["x", "y"], "numbers": [2, 5]})");
  const auto documents = read_all(DocumentFormat::jsonl, file);
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_EQ(texts(documents[0]), (Strings{"0:One.", "1:Two."}));
  EXPECT_EQ(texts(documents[1]), (Strings{"0:One is.", "1:Two is.", "2:Three."}));
  EXPECT_EQ(documents[2].raw_title, "raw-c");
  EXPECT_EQ(texts(documents[2]), (Strings{"2:x", "5:y"}));
}

TEST(Beir, CorpusOfAFolder) {
  const TemporaryFolder folder;
  folder.write(
      "corpus.jsonl",
      "{\"_id\": \"d1\", \"title\": \"T\", \"text\": \"One is. Two is.\", \"metadata\": {}}\n"
      "{\"_id\": \"d2\", \"title\": \"\", \"text\": \"Three.\"}\n");
  folder.write("queries.jsonl", "{\"_id\": \"q\"}");
  const auto documents = read_all(DocumentFormat::beir, folder / "");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].raw_title, "d1");
  EXPECT_EQ(documents[0].title, "T");
  EXPECT_EQ(texts(documents[0]), (Strings{"0:One is.", "1:Two is."}));
  EXPECT_EQ(documents[1].title, "d2");
}

TEST(PlainText, FilesAreDocuments) {
  const TemporaryFolder folder;
  folder.write("Red_fox.txt", "The fox is red. It runs.\n\nIt sleeps.\n");
  const auto documents = read_all(DocumentFormat::text, folder / "");
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].title, "Red fox");
  EXPECT_EQ(texts(documents[0]), (Strings{"0:The fox is red.", "1:It runs.", "2:It sleeps."}));
}

TEST(Documents, BadLinesAreNamed) {
  const TemporaryFolder folder;
  const auto complaint = [&](DocumentFormat format, const std::string& line) {
    const auto file = folder.write("d.jsonl", "\n" + line + "\n");
    const std::string message = error_of([&] { read_all(format, file); }).what();
    const std::string where = file.string() + ":2: ";
    EXPECT_TRUE(message.starts_with(where)) << message;
    return message.substr(std::min(message.size(), where.size()));
  };
  EXPECT_EQ(complaint(DocumentFormat::fever_wiki, R"({"id": "a"})"), "field 'text' is missing");
  EXPECT_EQ(complaint(DocumentFormat::fever_wiki, R"({"id": "a", "text": "t", "lines": []})"),
            "'lines' must be a string");
  EXPECT_EQ(complaint(DocumentFormat::jsonl, R"({"title": "a"})"),
            "needs a field 'sentences' (an array of strings) or 'text' (a string)");
  EXPECT_EQ(complaint(DocumentFormat::jsonl, R"({"title": "a", "sentences": [1]})"),
            "'sentences' must hold strings");
  EXPECT_EQ(
      complaint(DocumentFormat::jsonl, R"({"title": "a", "sentences": ["x"], "numbers": []})"),
      "'numbers' and 'sentences' differ in length");
  EXPECT_EQ(complaint(DocumentFormat::beir, R"({"title": "a", "text": "t"})"),
            "field '_id' is missing");
  complaint(DocumentFormat::jsonl, "{\"title\": \"cut");
}

TEST(Documents, FoldersAndFilesThatAreNotThere) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { open_documents(DocumentFormat::jsonl, folder / "none"); }).kind(),
            ErrorKind::not_found);
  EXPECT_EQ(error_of([&] { open_documents(DocumentFormat::beir, folder / ""); }).kind(),
            ErrorKind::not_found);
  EXPECT_FALSE(document_format("docx").has_value());
}

}  // namespace
}  // namespace memmatch::data
