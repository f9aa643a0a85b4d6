#include "model/tokenizer_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "support.h"

namespace memmatch {
namespace {

using test::error_of;
using test::TemporaryFolder;
using text::WordPiece;

std::filesystem::path cased_vocabulary() {
  return test::shared_data() / "vocab" / "bert-base-cased-vocab.txt";
}

std::filesystem::path minilm_tokenizer() {
  return std::filesystem::path(MEMMATCH_SOURCE_DIR) / "build" / "encoders" / "minilm" /
         "tokenizer.json";
}

std::vector<std::int32_t> ids(const WordPiece& tokenizer, std::string_view text) {
  std::vector<std::int32_t> all;
  for (const text::Piece& piece : tokenizer.tokenize(text)) all.push_back(piece.id);
  return all;
}

void expect_hugging_face_ids(const WordPiece& tokenizer, const char* field) {
  std::ifstream file(test::fixture("hugging_face_ids.jsonl"));
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const auto row = nlohmann::json::parse(line);
    EXPECT_EQ(ids(tokenizer, row["text"].get<std::string>()),
              row[field].get<std::vector<std::int32_t>>())
        << line;
  }
  EXPECT_GT(rows, 40);
}

TEST(BertBaseCased, GivesHuggingFacesIds) {
  MEMMATCH_REQUIRE(cased_vocabulary());
  expect_hugging_face_ids(load_vocab_txt(cased_vocabulary()), "cased");
}

TEST(MiniLm, GivesHuggingFacesIds) {
  MEMMATCH_REQUIRE(minilm_tokenizer());
  expect_hugging_face_ids(load_tokenizer_json(minilm_tokenizer()), "uncased");
}

// Section 2.1 of the reference.
TEST(BertBaseCased, PrefixesOfTheSequences) {
  MEMMATCH_REQUIRE(cased_vocabulary());
  const WordPiece tokenizer = load_vocab_txt(cased_vocabulary());
  using Ids = std::vector<std::int32_t>;
  EXPECT_EQ(ids(tokenizer, "Claim:"), (Ids{140, 20737, 1306, 131}));
  EXPECT_EQ(ids(tokenizer, "Evidence:"), (Ids{16573, 131}));
  EXPECT_EQ(ids(tokenizer, "Consider:"), (Ids{25515, 131}));
  EXPECT_EQ(ids(tokenizer, "Predict:"), (Ids{11689, 28113, 131}));
  EXPECT_EQ(ids(tokenizer, "Reference:"), (Ids{19714, 131}));
  EXPECT_EQ(ids(tokenizer, "Supports:"), (Ids{8704, 1116, 131}));
  EXPECT_EQ(ids(tokenizer, "Refutes:"), (Ids{11336, 14703, 3052, 131}));
  EXPECT_EQ(ids(tokenizer, "Unverifiable:"), (Ids{12118, 4121, 20643, 131}));
}

const std::string kClaim = "Claim: Charles de Gaulle was a leader in the French Resistance.";

// T9.
TEST(BertBaseCased, QueriesOfTheReference) {
  MEMMATCH_REQUIRE(cased_vocabulary());
  const WordPiece tokenizer = load_vocab_txt(cased_vocabulary());
  const std::vector<std::int32_t> claim{140,  20737, 1306, 131,  1889, 1260, 144,   18318, 1513,
                                        1108, 170,   2301, 1107, 1103, 1497, 15598, 119};
  const auto query = [&](std::initializer_list<std::int32_t> prefix) {
    std::vector<std::int32_t> all(prefix);
    all.insert(all.end(), claim.begin(), claim.end());
    return all;
  };
  EXPECT_EQ(ids(tokenizer, kClaim), claim);
  EXPECT_EQ(ids(tokenizer, "Consider: " + kClaim), query({25515, 131}));
  EXPECT_EQ(ids(tokenizer, "Predict: " + kClaim), query({11689, 28113, 131}));
  EXPECT_EQ(ids(tokenizer, "Reference: " + kClaim), query({19714, 131}));
}

// T10.
TEST(BertBaseCased, SupportsOfTheReference) {
  MEMMATCH_REQUIRE(cased_vocabulary());
  const WordPiece tokenizer = load_vocab_txt(cased_vocabulary());
  const std::string sentence_1 =
      "Evidence: Charles de Gaulle, sentence 1: He was the leader of Free France (1940 -- 44) and "
      "the head of "
      "the Provisional Government of the French Republic (1944 -- 46).";
  const std::string sentence_12 =
      "Evidence: Charles de Gaulle, sentence 12: Despite frosty relations with Britain and "
      "especially the United "
      "States, he emerged as the undisputed leader of the French resistance.";
  const std::string sentence_0 =
      "Evidence: Charles de Gaulle, sentence 0: Charles André Joseph Marie de Gaulle ([ʃaʁl də "
      "ɡol]; 22 November "
      "1890 -- 9 November 1970) was a French general and statesman.";
  const std::string resistance =
      "Evidence: French Resistance, sentence 0: The French Resistance (La Résistance) was the "
      "collection of French "
      "resistance movements that fought against the Nazi German occupation of France and against "
      "the "
      "collaborationist Vichy régime during the Second World War.";
  const std::string ep =
      "Evidence: Resistance (EP), sentence 7: This EP or mini-album sold nearly all of its 200,000 "
      "copies.";
  const auto count = [&](const std::string& text) { return ids(tokenizer, text).size(); };
  EXPECT_EQ(count(sentence_1), 42u);
  EXPECT_EQ(count(sentence_12), 36u);
  EXPECT_EQ(count(sentence_0), 47u);
  EXPECT_EQ(count(ep), 26u);
  const std::vector<text::Piece> long_pieces = tokenizer.tokenize(resistance);
  ASSERT_EQ(long_pieces.size(), 51u);
  EXPECT_EQ(tokenizer.vocabulary().piece(long_pieces[49].id), "War");
  EXPECT_EQ(resistance.substr(long_pieces[49].begin, 3), "War");
  EXPECT_EQ(count("Consider: " + kClaim + " " + sentence_1), 61u);
  EXPECT_EQ(count("Consider: " + kClaim + " " + sentence_1 + " " + sentence_12), 97u);
  const std::string three = kClaim + " " + sentence_1 + " " + sentence_12 + " " + sentence_0;
  EXPECT_EQ(count("Supports: " + three), 145u);
  EXPECT_EQ(count("Refutes: " + three), 146u);
  EXPECT_EQ(count("Unverifiable: " + three), 146u);
}

TEST(VocabTxt, CaseIsFoundOut) {
  const TemporaryFolder folder;
  const auto capitals = folder.write("vocab.txt", "[UNK]\nA\na\n");
  EXPECT_FALSE(load_vocab_txt(capitals).options().lowercase);
  EXPECT_TRUE(load_vocab_txt(capitals, LetterCase::uncased).options().lowercase);
  EXPECT_TRUE(load_vocab_txt(folder.write("small.txt", "[UNK]\na\n")).options().lowercase);
  folder.write("tokenizer_config.json", R"({"do_lower_case": true})");
  EXPECT_TRUE(load_vocab_txt(capitals).options().lowercase);
}

std::string tokenizer_json(const std::string& normalizer, const std::string& model) {
  return R"({"added_tokens": [{"id": 1, "content": "[SEP]", "special": true}], "normalizer": )" +
         normalizer + R"(, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": )" + model + "}";
}

const char* const kNormalizer =
    R"({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true})";
const char* const kModel =
    R"({"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "@@", "max_input_chars_per_word": 4,)"
    R"( "vocab": {"<unk>": 0, "[SEP]": 1, "ab": 2, "@@cd": 3}})";

TEST(TokenizerJson, SaysEverythingItself) {
  const TemporaryFolder folder;
  const auto file = folder.write("tokenizer.json", tokenizer_json(kNormalizer, kModel));
  EXPECT_EQ(ids(load_tokenizer_json(file), "ABCD ÁB[SEP]abcda"),
            (std::vector<std::int32_t>{2, 3, 2, 1, 0}));
  EXPECT_EQ(ids(load_tokenizer_json(file, LetterCase::cased), "ABCD"),
            std::vector<std::int32_t>{0});
}

TEST(TokenizerJson, WhatIsNotABertIsRefused) {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& normalizer, const std::string& model) {
    const auto file = folder.write("tokenizer.json", tokenizer_json(normalizer, model));
    const std::string message = error_of([&] { load_tokenizer_json(file); }).what();
    EXPECT_TRUE(message.starts_with(file.string() + ": ")) << message;
    return message.substr(file.string().size() + 2);
  };
  EXPECT_EQ(complaint(kNormalizer, R"({"type": "BPE", "vocab": {}})"),
            "model of type 'BPE' is not supported, only 'WordPiece' (BERT)");
  EXPECT_EQ(complaint(R"({"type": "NFKC"})", kModel),
            "normalizer of type 'NFKC' is not supported, only 'BertNormalizer' (BERT)");
  EXPECT_EQ(complaint(kNormalizer, R"({"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 2}})"),
            "no piece has the id 1");
  EXPECT_EQ(complaint(kNormalizer, R"({"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 0}})"),
            "pieces '[UNK]' and 'a' share the id 0");
  EXPECT_EQ(complaint(kNormalizer, R"({"type": "WordPiece", "vocab": {"[UNK]": 99999999999}})"),
            "piece '[UNK]' has the id 99999999999");
  EXPECT_EQ(complaint(kNormalizer, R"({"type": "WordPiece", "vocab": {"a": 0}})"),
            "vocabulary of 1 pieces lacks the unknown token '[UNK]'");
}

}  // namespace
}  // namespace memmatch
