#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace memmatch::text {

// English words that say nothing about what a sentence is about, in lower case, sorted.
inline constexpr std::array<std::string_view, 80> kStopWords{
    "a",     "about", "after",  "all",    "also",    "an",      "and",   "any",   "are",  "as",
    "at",    "be",    "been",   "before", "being",   "between", "both",  "but",   "by",   "did",
    "do",    "does",  "during", "each",   "for",     "from",    "had",   "has",   "have", "he",
    "her",   "his",   "if",     "in",     "into",    "is",      "it",    "its",   "more", "most",
    "no",    "not",   "of",     "on",     "only",    "or",      "other", "s",     "she",  "so",
    "some",  "such",  "t",      "than",   "that",    "the",     "their", "them",  "then", "there",
    "these", "they",  "this",   "those",  "through", "to",      "under", "up",    "was",  "were",
    "what",  "when",  "where",  "which",  "while",   "who",     "whom",  "whose", "will", "with"};
static_assert(std::is_sorted(kStopWords.begin(), kStopWords.end()));

constexpr bool is_stop_word(std::string_view word) {
  return std::binary_search(kStopWords.begin(), kStopWords.end(), word);
}

}  // namespace memmatch::text
