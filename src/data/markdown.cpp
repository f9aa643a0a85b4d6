#include "data/markdown.h"

#include <md4c-html.h>

#include <algorithm>
#include <limits>
#include <string>

#include "data/html.h"
#include "memmatch/error.h"

namespace memmatch::data {
namespace {

// Fields between two lines "---", which some programs put first: they are not part of the text.
std::string_view without_front_matter(std::string_view text) {
  if (!text.starts_with("---\n") && !text.starts_with("---\r\n")) return text;
  const std::size_t end = text.find("\n---", 3);
  if (end == std::string_view::npos) return text;
  return text.substr(std::min(text.find('\n', end + 1), text.size()));
}

// Each use of a reference, "[x]", may put in all of its definition, "[x]: …": few bytes can be made
// to grow without end. This is the most that the definitions here can become.
std::size_t most_from_references(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t at = text.find("]:"); at != std::string_view::npos;) {
    const std::size_t next = text.find("]:", at + 2);
    const std::string_view part = text.substr(at, std::min(next, text.size()) - at);
    longest = std::max(longest, std::min(part.find("\n\n"), part.size()));
    at = next;
  }
  return longest * static_cast<std::size_t>(std::count(text.begin(), text.end(), ']'));
}

constexpr std::size_t kMostFromReferences = std::size_t{1} << 30;

void append(const char* part, MD_SIZE size, void* to) {
  static_cast<std::string*>(to)->append(part, size);
}

}  // namespace

std::vector<text::Block> markdown_blocks(std::string_view utf8) {
  if (utf8.size() > std::numeric_limits<MD_SIZE>::max() / 4)
    throw Error(ErrorKind::unsupported, "Markdown of over 1 GB cannot be read");
  utf8 = without_front_matter(utf8);
  if (most_from_references(utf8) > kMostFromReferences)
    throw Error(ErrorKind::unsupported, "its references make it grow too much");
  std::string html;
  if (md_html(utf8.data(), static_cast<MD_SIZE>(utf8.size()), append, &html,
              MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS, 0) != 0)
    throw Error(ErrorKind::corrupt, "this Markdown cannot be read");
  return html_blocks(html);
}

}  // namespace memmatch::data
