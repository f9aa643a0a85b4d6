#include "text/sentence_split.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <memory>

#include "memmatch/error.h"
#include "text/unicode.h"

namespace memmatch::text {
namespace {

std::unique_ptr<icu::BreakIterator> make_iterator() {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createSentenceInstance(icu::Locale("en@ss=standard"), status));
  if (U_FAILURE(status)) {
    throw Error(ErrorKind::io,
                std::string("ICU cannot load its sentence rules: ") + u_errorName(status));
  }
  return iterator;
}

void split_line(icu::BreakIterator& iterator, std::string_view line,
                std::vector<std::string>& sentences) {
  const std::string text = tidy(line);
  icu::UnicodeString utf16 = icu::UnicodeString::fromUTF8(text);
  iterator.setText(utf16);
  int32_t begin = iterator.first();
  for (int32_t end = iterator.next(); end != icu::BreakIterator::DONE;
       begin = end, end = iterator.next()) {
    std::string raw;
    utf16.tempSubStringBetween(begin, end).toUTF8String(raw);
    std::string sentence = collapse_whitespace(raw);
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
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
