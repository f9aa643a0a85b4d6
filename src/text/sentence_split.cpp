#include "text/sentence_split.h"

#include <unicode/brkiter.h>
#include <unicode/filteredbrk.h>
#include <unicode/utext.h>

#include <memory>

#include "memmatch/error.h"
#include "text/unicode.h"

namespace memmatch::text {
namespace {

// Abbreviations that ICU's own English list lacks; the rest of the sentence usually follows them.
constexpr const char16_t* kAbbreviations[] = {
    u"Dr.",  u"Ms.",  u"St.",  u"Jr.",  u"Sr.",  u"Gen.", u"Col.", u"Sgt.", u"Capt.",
    u"Rev.", u"Hon.", u"Gov.", u"Sen.", u"Rep.", u"Mt.",  u"Ft.",  u"vs.",  u"cf.",
    u"ca.",  u"c.",   u"b.",   u"d.",   u"e.g.", u"i.e.", u"viz.", u"al.",  u"fl.",
    u"op.",  u"Op.",  u"No.",  u"no.",  u"Vol.", u"vol.",
};

std::unique_ptr<icu::BreakIterator> make_iterator() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale english("en");
  std::unique_ptr<icu::FilteredBreakIteratorBuilder> builder(
      icu::FilteredBreakIteratorBuilder::createInstance(english, status));
  icu::BreakIterator* plain = icu::BreakIterator::createSentenceInstance(english, status);
  if (builder) {
    for (const char16_t* abbreviation : kAbbreviations)
      builder->suppressBreakAfter(abbreviation, status);
    for (char16_t initial = u'A'; initial <= u'Z'; ++initial) {
      builder->suppressBreakAfter(icu::UnicodeString(initial).append(u'.'), status);
    }
  }
  std::unique_ptr<icu::BreakIterator> iterator(U_SUCCESS(status) ? builder->build(plain, status)
                                                                 : nullptr);
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
