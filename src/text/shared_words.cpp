#include "text/shared_words.h"

#include <algorithm>
#include <set>

#include "text/utf8.h"

namespace memmatch::text {
namespace {

int code_points(std::string_view word) {
  int count = 0;
  for (std::size_t at = 0; at < word.size(); ++count) next_code_point(word, at);
  return count;
}

}  // namespace

SharedWords::SharedWords(std::string_view claim) {
  std::set<std::string, std::less<>> distinct;
  for_each_word(claim, [&](std::string_view word) { distinct.emplace(word); });
  for (const std::string& word : distinct) words_.push_back({word, code_points(word)});
}

int SharedWords::letters(std::string_view title, std::string_view text) const {
  std::vector<bool> seen(words_.size());
  int letters = 0;
  const auto look = [&](std::string_view word) {
    const auto found =
        std::lower_bound(words_.begin(), words_.end(), word,
                         [](const Word& one, std::string_view other) { return one.text < other; });
    if (found == words_.end() || found->text != word) return;
    const auto index = static_cast<std::size_t>(found - words_.begin());
    if (!seen[index]) letters += found->letters;
    seen[index] = true;
  };
  for_each_word(title, look);
  for_each_word(text, look);
  return letters;
}

}  // namespace memmatch::text
