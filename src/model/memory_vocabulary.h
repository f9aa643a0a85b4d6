#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "text/wordpiece.h"

namespace memmatch {

// The pieces that have word embeddings of their own in the memory layers: the most frequent of the
// training texts. All three levels share it.
struct MemoryVocabulary {
  static constexpr std::int32_t kPadding = 0;
  static constexpr std::int32_t kUnknown = 1;
  static constexpr std::int32_t kFirst = 2;  // the id of entries[0]

  struct Entry {
    std::string piece;
    std::int64_t count = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  std::vector<Entry> entries;

  // With padding and unknown.
  std::int64_t size() const { return static_cast<std::int64_t>(entries.size()) + kFirst; }
};

// Counts pieces of training texts (reference §2.4). Queries are counted before supports where it
// comes to which piece occurred first.
class MemoryVocabularyCounter {
 public:
  // The tokeniser must outlive the counter.
  explicit MemoryVocabularyCounter(const text::WordPiece& tokenizer);

  // "Claim: …"
  void add_query(std::string_view text);

  // "Supports: Claim: … Evidence: …"
  void add_support(std::string_view text);

  // The `pieces` most frequent pieces, those that occurred earlier first among equals. The prefixes
  // of the sequences are counted twice for every query, so that they are always among them. Where
  // nothing was added at all, the tokeniser's first pieces take the places of the frequent ones.
  MemoryVocabulary finish(std::int64_t pieces);

 private:
  void count(std::string_view text, std::int64_t times, std::uint64_t phase);
  void fill_from_tokenizer();

  const text::WordPiece& tokenizer_;
  std::vector<std::int64_t> counts_;         // by the tokeniser's ids
  std::vector<std::uint64_t> first_places_;  // where a piece was seen first
  std::uint64_t place_ = 0;
  std::int64_t queries_ = 0;
  std::int64_t texts_ = 0;
};

// For each of the tokeniser's ids its id in the memory vocabulary. Throws Error(corrupt) where the
// memory vocabulary has a piece that the tokeniser does not.
std::vector<std::int32_t> memory_ids(const MemoryVocabulary& vocabulary,
                                     const text::WordPiece& tokenizer);

// `memory_vocabulary.txt`: "piece ⇥ id ⇥ count" a line, ids from 0; see docs/file_formats.md.
MemoryVocabulary read_memory_vocabulary(const std::filesystem::path& file);
std::string memory_vocabulary_text(const MemoryVocabulary& vocabulary);

}  // namespace memmatch
