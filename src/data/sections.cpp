#include "data/sections.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "text/sentence_split.h"
#include "text/utf8.h"

namespace memmatch::data {
namespace {

constexpr std::string_view kBelow = " › ";

// Titles are read with every sentence, and a model reads only so much.
constexpr std::size_t kShownHeadings = 2;
constexpr std::size_t kShownBytes = 60;

std::string shortened(const std::string& heading) {
  if (heading.size() <= kShownBytes) return heading;
  const std::size_t end = heading.rfind(' ', kShownBytes);
  if (end != std::string::npos && end > 0) return heading.substr(0, end) + " …";
  std::size_t whole = 0;  // characters
  for (std::size_t at = 0; at < kShownBytes;) {
    whole = at;
    text::next_code_point(heading, at);
  }
  return heading.substr(0, whole) + "…";
}

// Pages of manuals have a sign behind each heading, to link to it.
std::string without_anchor(std::string heading) {
  for (const std::string_view sign : {"#", "¶"}) {
    if (heading.ends_with(sign)) heading.erase(heading.size() - sign.size());
  }
  if (heading.ends_with(' ')) heading.pop_back();
  return heading;
}

struct Heading {
  int level = 0;
  std::string text;
};

// Goes through the blocks of one file.
class Sections {
 public:
  Sections(std::string_view name, std::string_view shown) : name_(name), shown_(shown) {}

  void add(const text::Block& block) {
    if (block.heading > 0) {
      take_heading(block);
    } else {
      if (documents_.empty() || !open_ || block.page != page_) open(block.page);
      append_sentences(block.text, documents_.back());
      has_text_ = true;
    }
  }

  std::vector<NewDocument> documents() && {
    keep_lone_heading();
    return std::move(documents_);
  }

 private:
  void take_heading(const text::Block& block) {
    if (!headings_.empty() && block.heading <= headings_.back().level) keep_lone_heading();
    while (!headings_.empty() && headings_.back().level >= block.heading) headings_.pop_back();
    headings_.push_back({block.heading, without_anchor(block.text)});
    open_ = has_text_ = false;
  }

  // The heading before said all there is.
  void keep_lone_heading() {
    if (has_text_ || headings_.empty()) return;
    const std::string text = std::exchange(headings_.back().text, {});
    open(page_);
    append_sentences(text, documents_.back());
  }

  void open(int page) {
    NewDocument document;
    document.raw_title = name_;
    document.title = shown_;
    if (page > 0) {
      document.raw_title += fmt::format(", page {}", page);
      document.title += fmt::format(", page {}", page);
    }
    for (std::size_t i = 0; i < headings_.size(); ++i) {
      if (headings_[i].text.empty()) continue;
      document.raw_title.append(kBelow).append(headings_[i].text);
      if (i + kShownHeadings >= headings_.size())
        document.title.append(kBelow).append(shortened(headings_[i].text));
    }
    // The same heading may be there again.
    if (const int times = ++opened_[document.raw_title]; times > 1)
      document.raw_title += fmt::format(" ({})", times);
    documents_.push_back(std::move(document));
    page_ = page;
    open_ = true;
  }

  std::string_view name_;
  std::string_view shown_;
  std::vector<Heading> headings_;
  std::vector<NewDocument> documents_;
  std::map<std::string, int> opened_;
  int page_ = 0;
  bool open_ = false;
  bool has_text_ = false;  // under the last heading
};

}  // namespace

void append_sentences(std::string_view text, NewDocument& document) {
  for (const std::string& sentence : text::split_sentences(text)) {
    for (std::string& part : text::split_long_sentence(sentence)) {
      document.sentences.push_back({static_cast<int>(document.sentences.size()), std::move(part)});
    }
  }
}

std::vector<NewDocument> documents_of(std::string_view name, std::string_view shown,
                                      const std::vector<text::Block>& blocks) {
  Sections sections(name, shown);
  for (const text::Block& block : blocks) sections.add(block);
  return std::move(sections).documents();
}

}  // namespace memmatch::data
