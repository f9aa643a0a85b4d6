#include "model/memory_vocabulary.h"

#include <gtest/gtest.h>

#include "model/tiny_model.h"
#include "model/tokenizer_files.h"
#include "support.h"

namespace memmatch {
namespace {

using Entry = MemoryVocabulary::Entry;

// The reference's test vector T20.
TEST(MemoryVocabulary, CountsTheReferencesExample) {
  const auto vocab = test::shared_data() / "vocab" / "bert-base-cased-vocab.txt";
  MEMMATCH_REQUIRE(vocab);
  const text::WordPiece tokenizer = load_vocab_txt(vocab);
  MemoryVocabularyCounter counter(tokenizer);
  counter.add_query("Claim: A cat.");
  counter.add_support("Supports: Claim: A cat. Evidence: Cat, sentence 0: A cat.");
  counter.add_query("Claim: A dog.");
  counter.add_support("Unverifiable: Claim: A dog.");
  const std::vector<Entry> expected = {
      {":", 36},       {"Consider", 8}, {"A", 5},         {".", 5},         {"Support", 5},
      {"##s", 5},      {"Un", 5},       {"##ver", 5},     {"##ifiable", 5}, {"C", 4},
      {"##lai", 4},    {"##m", 4},      {"Reference", 4}, {"Pre", 4},       {"##dict", 4},
      {"Re", 4},       {"##fu", 4},     {"##tes", 4},     {"cat", 3},       {"dog", 2},
      {"Evidence", 1}, {"Cat", 1},      {",", 1},         {"sentence", 1},  {"0", 1}};
  EXPECT_EQ(counter.finish(7500).entries, expected);
}

TEST(MemoryVocabulary, KeepsTheMostFrequentPieces) {
  const text::WordPiece tokenizer = test::tiny_tokenizer();
  MemoryVocabularyCounter counter(tokenizer);
  for (int i = 0; i < 20; ++i) counter.add_support("cat");
  counter.add_query("dog");
  const MemoryVocabulary vocabulary = counter.finish(2);
  EXPECT_EQ(vocabulary.entries, (std::vector<Entry>{{"cat", 20}, {":", 14}}));
  EXPECT_EQ(vocabulary.size(), 4);
}

TEST(MemoryVocabulary, WithoutTextsItHasThePrefixesAndTheTokenizersFirstPieces) {
  const text::WordPiece tokenizer = test::tiny_tokenizer();
  const MemoryVocabulary vocabulary = MemoryVocabularyCounter(tokenizer).finish(7500);
  // All pieces but the five special ones.
  EXPECT_EQ(vocabulary.entries.size(), 27u);
  EXPECT_EQ(vocabulary.entries.at(0).piece, ":");
  const auto has = [&](std::string_view piece) {
    return std::any_of(vocabulary.entries.begin(), vocabulary.entries.begin() + 16,
                       [&](const Entry& entry) { return entry.piece == piece; });
  };
  EXPECT_TRUE(has("Consider") && has("Claim") && has("Evidence") && has("##dict"));
}

TEST(MemoryVocabulary, MapsTheTokenizersIds) {
  const text::WordPiece tokenizer = test::tiny_tokenizer();
  const MemoryVocabulary vocabulary{{{"cat", 3}, {"A", 2}}};
  const std::vector<std::int32_t> ids = memory_ids(vocabulary, tokenizer);
  EXPECT_EQ(ids.at(24), 2);  // cat
  EXPECT_EQ(ids.at(23), 3);  // A
  EXPECT_EQ(ids.at(25), MemoryVocabulary::kUnknown);
  EXPECT_EQ(test::error_of([&] {
              memory_ids({{{"zebra", 1}}}, tokenizer);
            }).kind(),
            ErrorKind::corrupt);
}

TEST(MemoryVocabulary, IsReadAsItWasWritten) {
  const test::TemporaryFolder folder;
  const MemoryVocabulary vocabulary{{{"cat", 3}, {"##é", 2}, {"#", 1}}};
  const std::string text = memory_vocabulary_text(vocabulary);
  EXPECT_EQ(text, "[PAD]\t0\t-1\n[UNK]\t1\t-1\ncat\t2\t3\n##é\t3\t2\n#\t4\t1\n");
  EXPECT_EQ(read_memory_vocabulary(folder.write("v", text)).entries, vocabulary.entries);
}

TEST(MemoryVocabulary, DamagedFilesAreRefusedWithTheLine) {
  const test::TemporaryFolder folder;
  const std::string start = "[PAD]\t0\t-1\n[UNK]\t1\t-1\n";
  for (const std::string& text :
       {std::string(), std::string("[PAD]\t0\t-1\n"), std::string("[UNK]\t0\t-1\n[PAD]\t1\t-1\n"),
        start + "cat\t3\t1\n", start + "cat\t2\n", start + "cat\t2\tmany\n", start + "\t2\t1\n",
        start + "cat\t2\t1\ncat\t3\t1\n", start + "cat 2 1\n", start + "cat\t2\t1\t\n"}) {
    const Error error = test::error_of([&] { read_memory_vocabulary(folder.write("v", text)); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt) << text;
    EXPECT_NE(std::string(error.what()).find("/v:"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace memmatch
