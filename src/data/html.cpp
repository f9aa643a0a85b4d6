#include "data/html.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <unordered_set>

#include "memmatch/error.h"
#include "text/unicode.h"

namespace memmatch::data {
namespace {

using text::Block;
using Names = std::unordered_set<std::string_view>;

// More than any page has; finding the end of an element takes time by its depth.
constexpr int kDeepest = 500;

bool is_left_out(std::string_view element) {
  static const Names names{"script", "style",  "noscript", "template", "svg",    "math",
                           "nav",    "footer", "aside",    "button",   "select", "textarea",
                           "iframe", "object", "del",      "audio",    "video",  "canvas"};
  return names.contains(element);
}

bool is_inline(std::string_view element) {
  static const Names names{"a",     "abbr", "acronym", "b",    "bdi",   "bdo",    "big",
                           "cite",  "code", "data",    "dfn",  "em",    "font",   "i",
                           "img",   "ins",  "kbd",     "mark", "q",     "s",      "samp",
                           "small", "span", "strike",  "sub",  "sup",   "strong", "time",
                           "tt",    "u",    "var",     "wbr",  "label", "nobr",   "input"};
  return names.contains(element);
}

// 1 to 6 of "h1" to "h6", else 0.
int heading_level(std::string_view element) {
  const bool heading =
      element.size() == 2 && element[0] == 'h' && element[1] >= '1' && element[1] <= '6';
  return heading ? element[1] - '0' : 0;
}

bool is_cell(std::string_view element) { return element == "td" || element == "th"; }

std::string_view view(const xmlChar* text) { return reinterpret_cast<const char*>(text); }

// Takes the parser's events; keeps no tree, so that memory is that of the text.
class Page {
 public:
  bool too_deep() const { return too_deep_; }

  void start(std::string_view element, const xmlChar** attributes) {
    too_deep_ = too_deep_ || ++depth_ > kDeepest;  // the parser closes all elements at its end
    if (left_out_ > 0) {
      ++left_out_;
      return;
    }
    if (is_left_out(element) || is_hidden(attributes)) {
      left_out_ = 1;
      return;
    }
    if (is_inline(element)) return;
    if (is_cell(element)) {
      if (!blank_) buffer_ += " | ";
      return;
    }
    flush();
    if (element == "title") in_title_ = true;
    if (element == "main" || element == "article") ++main_;
    if (element == "pre") in_pre_ = true;
    heading_ = std::max(heading_, heading_level(element));
  }

  void end(std::string_view element) {
    depth_ = std::max(0, depth_ - 1);
    if (left_out_ > 0) {
      --left_out_;
      return;
    }
    if (is_inline(element) || is_cell(element)) return;
    flush();
    if (element == "title") in_title_ = false;
    if (element == "main" || element == "article") main_ = std::max(0, main_ - 1);
    if (element == "pre") in_pre_ = false;
    if (heading_level(element) > 0) heading_ = 0;
  }

  void characters(std::string_view text) {
    if (left_out_ > 0) return;
    buffer_ += text;
    blank_ = blank_ && text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  std::vector<Block> blocks() && {
    flush();
    if (has_main_) std::erase_if(blocks_, [](const Block& block) { return block.page == 0; });
    for (Block& block : blocks_) block.page = 0;
    text::tidy_blocks(blocks_);
    const auto is_heading = [](const Block& block) { return block.heading > 0; };
    if (!title_.empty() && std::none_of(blocks_.begin(), blocks_.end(), is_heading))
      blocks_.insert(blocks_.begin(), {title_, 1});
    return std::move(blocks_);
  }

 private:
  static bool is_hidden(const xmlChar** attributes) {
    for (; attributes && *attributes; attributes += 2) {
      const std::string_view name = view(attributes[0]);
      const std::string_view value = attributes[1] ? view(attributes[1]) : "";
      if (name == "hidden" || (name == "aria-hidden" && value == "true")) return true;
      if (name == "class" && value == "reference") return true;  // a footnote's number
    }
    return false;
  }

  // `page` is borrowed for whether a block is within the main part.
  void flush() {
    if (!blank_) {
      if (in_title_) {
        title_ = text::tidy(buffer_);
      } else if (in_pre_) {
        for (Block& block : text::plain_blocks(buffer_)) add(std::move(block));
      } else {
        add({buffer_, heading_});
      }
    }
    buffer_.clear();
    blank_ = true;
  }

  void add(Block block) {
    block.page = main_ > 0 ? 1 : 0;
    has_main_ = has_main_ || main_ > 0;
    blocks_.push_back(std::move(block));
  }

  std::string buffer_;
  bool blank_ = true;  // nothing in it but blanks
  std::string title_;
  std::vector<Block> blocks_;
  int depth_ = 0;
  bool too_deep_ = false;
  int left_out_ = 0;  // depth within an element that is left out
  int main_ = 0;      // depth of elements that hold the main part
  int heading_ = 0;
  bool has_main_ = false;
  bool in_title_ = false;
  bool in_pre_ = false;
};

struct Reading {
  Page page;
  htmlParserCtxtPtr parser = nullptr;
};

Reading& reading_of(void* context) { return *static_cast<Reading*>(context); }

void start_element(void* context, const xmlChar* name, const xmlChar** attributes) {
  Reading& reading = reading_of(context);
  reading.page.start(view(name), attributes);
  if (reading.page.too_deep()) xmlStopParser(reading.parser);
}

void end_element(void* context, const xmlChar* name) { reading_of(context).page.end(view(name)); }

void characters(void* context, const xmlChar* text, int size) {
  reading_of(context).page.characters(
      {reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)});
}

}  // namespace

std::vector<Block> html_blocks(std::string_view utf8) {
  if (utf8.size() > std::numeric_limits<int>::max())
    throw Error(ErrorKind::unsupported, "a page of over 2 GB cannot be read");
  const std::unique_ptr<htmlParserCtxt, void (*)(htmlParserCtxtPtr)> parser(htmlNewParserCtxt(),
                                                                            htmlFreeParserCtxt);
  if (!parser) throw std::bad_alloc();
  *parser->sax = {};
  parser->sax->startElement = start_element;
  parser->sax->endElement = end_element;
  parser->sax->characters = characters;
  parser->sax->ignorableWhitespace = characters;
  Reading reading;
  reading.parser = parser.get();
  parser->userData = &reading;
  constexpr int kOptions = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                           HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC;
  htmlCtxtReadMemory(parser.get(), utf8.data(), static_cast<int>(utf8.size()), nullptr, "UTF-8",
                     kOptions);
  if (reading.page.too_deep()) {
    throw Error(ErrorKind::unsupported,
                "its elements are nested too deeply for a page that somebody wrote");
  }
  return std::move(reading.page).blocks();
}

std::string_view html_encoding(std::string_view bytes) {
  bytes = bytes.substr(0, 2048);
  constexpr std::string_view kBefore = "charset=";
  const auto at = std::search(bytes.begin(), bytes.end(), kBefore.begin(), kBefore.end(),
                              [](char a, char b) { return (a | 0x20) == b || a == b; });
  if (at == bytes.end()) return {};
  std::string_view rest =
      bytes.substr(static_cast<std::size_t>(at - bytes.begin()) + kBefore.size());
  if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
  return rest.substr(0, rest.find_first_of("\"'; />\n"));
}

}  // namespace memmatch::data
