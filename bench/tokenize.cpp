// Tokenising running text, cased and uncased.

#include <set>
#include <vector>

#include "data/documents.h"
#include "model/tokenizer_files.h"
#include "support.h"

namespace memmatch::bench {
namespace {

constexpr int kRounds = 5;
constexpr std::size_t kEnough = 8'000'000;  // bytes

std::vector<std::string> read_sentences() {
  std::vector<std::string> sentences;
  std::size_t bytes = 0;
  const auto reader = data::open_documents(data::DocumentFormat::fever_wiki, shared_wiki_pages());
  for (NewDocument document; bytes < kEnough && reader->next(document);) {
    for (NewSentence& sentence : document.sentences) {
      bytes += sentence.text.size();
      sentences.push_back(std::move(sentence.text));
    }
  }
  return sentences;
}

std::vector<std::string> make_sentences() {
  std::vector<std::string> sentences;
  Words words(2);
  for (std::size_t bytes = 0; bytes < kEnough; bytes += sentences.back().size()) {
    std::string sentence;
    for (int i = 0; i < 20; ++i) sentence += words.next(60'000) + " ";
    sentences.push_back(sentence + ".");
  }
  return sentences;
}

// Without a vocabulary at hand: the syllables that our words are made of, and their pairs.
text::Vocabulary make_vocabulary() {
  std::vector<std::string> pieces{"[UNK]", "."};
  Words words(3);
  std::set<std::string> seen;
  while (seen.size() < 15'000) {
    const std::string word = words.next(60'000);
    if (seen.insert(word).second) pieces.insert(pieces.end(), {word, "##" + word});
  }
  return text::Vocabulary(std::move(pieces));
}

void measure(const char* name, const text::WordPiece& tokenizer,
             const std::vector<std::string>& sentences) {
  std::size_t bytes = 0;
  for (const std::string& sentence : sentences) bytes += sentence.size();
  std::size_t pieces = 0;
  Best best;
  for (int round = 0; round < kRounds; ++round) {
    pieces = 0;
    best.add(seconds([&] {
      for (const std::string& sentence : sentences) pieces += tokenizer.tokenize(sentence).size();
    }));
  }
  fmt::print("{}: {:.1f} MB/s, {:.1f} million pieces/s, one thread\n", name,
             1e-6 * static_cast<double>(bytes) / best.value,
             1e-6 * static_cast<double>(pieces) / best.value);
}

void main_() {
  const bool has_data = std::filesystem::exists(shared_wiki_pages());
  const std::vector<std::string> sentences = has_data ? read_sentences() : make_sentences();
  const auto vocabulary_file =
      shared_wiki_pages().parent_path().parent_path() / "vocab" / "bert-base-cased-vocab.txt";
  for (const LetterCase letter_case : {LetterCase::cased, LetterCase::uncased}) {
    text::WordPieceOptions options;
    options.lowercase = options.strip_accents = letter_case == LetterCase::uncased;
    const text::WordPiece tokenizer = has_data ? load_vocab_txt(vocabulary_file, letter_case)
                                               : text::WordPiece(make_vocabulary(), options);
    measure(letter_case == LetterCase::cased ? "cased" : "uncased", tokenizer, sentences);
  }
}

}  // namespace
}  // namespace memmatch::bench

int main() { memmatch::bench::main_(); }
