#include "text/sentence_split.h"

#include <unicode/brkiter.h>

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "memmatch/error.h"
#include "text/unicode.h"

namespace memmatch::text {
namespace {

std::unique_ptr<icu::BreakIterator> make_iterator() {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createSentenceInstance(icu::Locale("en"), status));
  if (U_FAILURE(status)) {
    throw Error(ErrorKind::io,
                std::string("ICU cannot load its sentence rules: ") + u_errorName(status));
  }
  return iterator;
}

// Whether a sentence that seems to end with `word` goes on: an abbreviation, or somebody's initial.
// ICU has a list of its own for this, but takes its entries for endings of words: with "d." in
// the list, "The fox is red." would not end.
bool goes_on_after(std::string_view word) {
  static const std::unordered_set<std::string_view> kAbbreviations{
      "Mr.",   "Mrs.", "Ms.",  "Dr.",   "Prof.", "St.",     "Jr.",  "Sr.",   "Gen.", "Col.",
      "Maj.",  "Lt.",  "Sgt.", "Capt.", "Cmdr.", "Rev.",    "Hon.", "Gov.",  "Sen.", "Rep.",
      "Pres.", "Mt.",  "Ft.",  "vs.",   "v.",    "cf.",     "ca.",  "c.",    "b.",   "d.",
      "e.g.",  "i.e.", "viz.", "al.",   "fl.",   "op.",     "Op.",  "No.",   "no.",  "Nos.",
      "Vol.",  "vol.", "pp.",  "p.",    "Jan.",  "Feb.",    "Mar.", "Apr.",  "Aug.", "Sept.",
      "Oct.",  "Nov.", "Dec.", "U.S.",  "U.K.",  "approx.", "est.", "Bros.", "Ph.D."};
  while (!word.empty() && (word.front() == '(' || word.front() == '"' || word.front() == '[')) {
    word.remove_prefix(1);
  }
  const bool initial = word.size() == 2 && word[0] >= 'A' && word[0] <= 'Z' && word[1] == '.';
  return initial || kAbbreviations.contains(word);
}

void split_line(icu::BreakIterator& iterator, std::string_view line,
                std::vector<std::string>& sentences) {
  const icu::UnicodeString utf16 = icu::UnicodeString::fromUTF8(tidy(line));
  iterator.setText(utf16);
  std::string sentence;
  int32_t begin = iterator.first();
  for (int32_t end = iterator.next(); end != icu::BreakIterator::DONE;
       begin = end, end = iterator.next()) {
    utf16.tempSubStringBetween(begin, end).toUTF8String(sentence);
    const std::vector<std::string_view> words = split_whitespace(sentence);
    if (words.empty() || (end < utf16.length() && goes_on_after(words.back()))) continue;
    sentences.push_back(collapse_whitespace(sentence));
    sentence.clear();
  }
}

}  // namespace

std::vector<std::string> split_sentences(std::string_view text) {
  // Building an iterator costs more than splitting a page; one is not for two threads at a time.
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = make_iterator();
  std::vector<std::string> sentences;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    split_line(*iterator, text.substr(0, end), sentences);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return sentences;
}

}  // namespace memmatch::text
