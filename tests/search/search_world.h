#pragma once

#include <string>
#include <vector>

#include "engine/random_model.h"
#include "memmatch/verifier.h"
#include "model/model_files.h"
#include "store/store_support.h"

namespace memmatch::test {

inline const std::vector<std::string>& world_words() {
  static const std::vector<std::string> words{"the",   "moon",  "sun",  "river", "stone", "bird",
                                              "sings", "falls", "cold", "warm",  "is",    "was",
                                              "red",   "green", "old",  "new",   "in",    "of",
                                              "king",  "queen", "city", "tower", "born",  "made"};
  return words;
}

inline std::string vocabulary_text() {
  std::string text = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (const char* piece :
       {":", ",", ".", "claim", "evidence", "consider", "predict", "reference", "supports",
        "refutes", "un", "##verifiable", "sentence", "0", "1", "2", "3", "4"}) {
    text += std::string(piece) + "\n";
  }
  for (const std::string& word : world_words()) text += word + "\n";
  return text;
}

// A folder with a small random model whose lengths cut some of what the tests write.
inline std::filesystem::path small_model(const TemporaryFolder& folder, std::uint64_t seed = 4,
                                         const SearchConfig& search = {}) {
  text::WordPieceOptions options;
  options.lowercase = options.strip_accents = true;
  const std::string vocabulary = vocabulary_text();
  std::vector<std::string> pieces;
  std::istringstream lines(vocabulary);
  for (std::string line; std::getline(lines, line);) pieces.push_back(line);
  const EncoderConfig encoder{.vocabulary = static_cast<std::int64_t>(pieces.size()),
                              .hidden = 16,
                              .layers = 2,
                              .heads = 2,
                              .intermediate = 32,
                              .positions = 64};
  MemoryVocabulary memory_vocabulary;
  for (std::size_t i = 5; i < pieces.size(); i += 2)
    memory_vocabulary.entries.push_back({pieces[i], 1});
  const MemoryConfig memory{.vocabulary = memory_vocabulary.size(),
                            .word_dimension = 6,
                            .filters = 20,
                            .lengths = {14, 26, 40}};
  const ModelData model{.weights = random_model(encoder, memory, seed),
                        .tokenizer = text::WordPiece(text::Vocabulary(pieces), options),
                        .tokenizer_files = {{"vocab.txt", vocabulary}},
                        .memory_vocabulary = memory_vocabulary,
                        .seed = seed,
                        .search = search};
  const auto path =
      folder / ("model-" + std::to_string(seed) + (search == SearchConfig{} ? "" : "-search"));
  save_model(model, path, {});
  return path;
}

inline std::string random_sentence(Random& random, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    const auto n =
        static_cast<std::size_t>(random.uniform() * static_cast<double>(world_words().size()));
    text += (i > 0 ? " " : "") + world_words()[n];
  }
  return text + ".";
}

// Documents named by one or two words of the vocabulary, of up to five sentences.
inline std::vector<NewDocument> random_documents(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<NewDocument> documents;
  for (int i = 0; i < count; ++i) {
    const std::string word = world_words()[static_cast<std::size_t>(i) % world_words().size()];
    NewDocument document{
        std::to_string(i), i % 3 == 0 ? word : word + " (" + std::to_string(i) + ")", {}};
    const int sentences = 1 + static_cast<int>(random.uniform() * 5);
    for (int n = 0; n < sentences; ++n) {
      const int words = 3 + static_cast<int>(random.uniform() * 12);
      document.sentences.push_back({n, random_sentence(random, words)});
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

inline std::vector<std::string> random_claims(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> claims;
  for (int i = 0; i < count; ++i) claims.push_back(random_sentence(random, 4 + i % 5));
  return claims;
}

}  // namespace memmatch::test
