#include "data/pdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/child_process.h"
#include "memmatch/error.h"
#include "text/sentence_split.h"

namespace memmatch::data {
namespace {

using text::Block;

std::string text_of(std::string_view bytes, std::uint64_t largest) {
  const auto program = find_program("pdftotext");
  if (!program) {
    throw Error(ErrorKind::unsupported,
                "to read PDF, memmatch needs the program pdftotext (Debian: poppler-utils)");
  }
  ChildLimits limits;
  limits.output = largest;
  ChildResult result = run_limited(*program, {"-enc", "UTF-8", "/dev/stdin", "-"}, bytes, limits);
  switch (result.end) {
    case ChildResult::End::too_slow:
      throw Error(ErrorKind::unsupported,
                  fmt::format("reading it takes more than {} seconds", limits.seconds));
    case ChildResult::End::too_much_output:
      throw Error(ErrorKind::unsupported, "its text is more than is allowed (--file-limit)");
    case ChildResult::End::killed:
      throw Error(ErrorKind::corrupt,
                  fmt::format("pdftotext broke down on it (signal {})", result.code));
    case ChildResult::End::exited:
      break;
  }
  if (result.errors.find("assword") != std::string::npos)
    throw Error(ErrorKind::unsupported, "it is locked with a password; save it without one");
  if (result.code == 3)
    throw Error(ErrorKind::unsupported, "its author does not allow to copy text from it");
  if (result.code != 0) {
    const bool memory = result.errors.find("emory") != std::string::npos ||
                        result.errors.find("bad_alloc") != std::string::npos;
    if (memory) {
      throw Error(ErrorKind::unsupported,
                  fmt::format("reading it takes more than {} MB of memory", limits.memory >> 20));
    }
    throw Error(ErrorKind::corrupt, "the PDF is damaged; print it to a new one");
  }
  return std::move(result.output);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// Words that were divided at a line's end, and letters that were printed as one.
std::string mended(std::string_view page) {
  std::string text;
  for (std::size_t i = 0; i < page.size(); ++i) {
    const bool divides = page[i] == '-' && i > 0 && i + 2 < page.size() && page[i + 1] == '\n' &&
                         is_lower(page[i - 1]) && is_lower(page[i + 2]);
    if (divides) {
      ++i;
    } else {
      text += page[i];
    }
  }
  replace_all(text, "\xC2\xAD\n", "");  // soft hyphens
  replace_all(text, "\xC2\xAD", "");
  replace_all(text, "ﬁ", "fi");
  replace_all(text, "ﬂ", "fl");
  replace_all(text, "ﬀ", "ff");
  replace_all(text, "ﬃ", "ffi");
  replace_all(text, "ﬄ", "ffl");
  return text;
}

bool is_page_number(const Block& block) {
  return block.text.size() <= 5 &&
         block.text.find_first_not_of("0123456789-. ") == std::string::npos;
}

bool goes_on(const Block& block) {
  const std::size_t end = block.text.find_last_not_of("\"')]");
  return end != std::string::npos &&
         std::string_view(".!?:;").find(block.text[end]) == std::string_view::npos;
}

}  // namespace

std::vector<Block> pdf_blocks(std::string_view bytes, std::uint64_t largest) {
  const std::string text = text_of(bytes, largest);
  std::vector<Block> blocks;
  int page = 1;
  for (std::string_view rest = text; !rest.empty(); ++page) {
    const std::size_t end = std::min(rest.find('\f'), rest.size());
    const std::size_t before = blocks.size();
    for (Block& block : text::plain_blocks(mended(rest.substr(0, end)), text::Lines::ragged)) {
      if (is_page_number(block)) continue;
      // A sentence that goes over the end of a page belongs where it begins.
      const bool first = blocks.size() == before && before > 0 && blocks.back().page == page - 1;
      if (first && is_lower(block.text.front()) && goes_on(blocks.back())) {
        const std::string sentence = text::split_sentences(block.text).front();
        blocks.back().text += ' ' + sentence;
        block.text.erase(0, sentence.size() + 1);
        if (block.text.empty()) continue;
      }
      block.page = page;
      blocks.push_back(std::move(block));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (blocks.empty()) {
    throw Error(ErrorKind::unsupported,
                "there is no text in it; pictures of pages need text recognition first, such as "
                "ocrmypdf's");
  }
  return blocks;
}

}  // namespace memmatch::data
