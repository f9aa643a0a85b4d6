#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/titles.h"
#include "text/unicode.h"

namespace memmatch::text {

// The words of a text as the title cover has them: without punctuation, in lower case.
template <typename Visit>
void for_each_word(std::string_view text, const Visit& visit) {
  const std::string key = claim_key(text);
  for (const std::string_view word : split_whitespace(key)) visit(word);
}

// How much of a claim's wording another text repeats. A word counts by its letters: long words are
// rare ones, and nothing has to be counted over a datastore to know that.
class SharedWords {
 public:
  SharedWords() = default;
  explicit SharedWords(std::string_view claim);

  // The letters of the claim's distinct words that occur in the title or in the text.
  int letters(std::string_view title, std::string_view text) const;

 private:
  struct Word {
    std::string text;
    int letters = 0;
  };
  std::vector<Word> words_;  // sorted by text, each once
};

}  // namespace memmatch::text
