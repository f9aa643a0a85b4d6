#include "memmatch/check.h"

#include <algorithm>

#include "data/file_text.h"
#include "text/blocks.h"
#include "text/sentence_split.h"
#include "text/statement.h"

namespace memmatch {
namespace {

// Sentences that are verified together.
constexpr std::size_t kTogether = 64;

// A line without a full stop that is short: of such are headings made, and list items that say
// nothing by themselves.
bool is_heading(std::string_view sentence) {
  static constexpr std::size_t kLongest = 60;
  return sentence.size() <= kLongest && !sentence.empty() &&
         std::string_view(".!…:;\"')").find(sentence.back()) == std::string_view::npos;
}

}  // namespace

std::optional<double> CheckedSentence::confidence() const {
  return verdict && verdict->admission ? verdict->admission->confidence : std::nullopt;
}

namespace {

std::vector<CheckedSentence> sentences_of(const std::vector<text::Block>& blocks) {
  std::vector<CheckedSentence> sentences;
  for (const text::Block& block : blocks) {
    if (block.heading > 0) {
      sentences.push_back({.text = block.text, .not_judged = "is a heading"});
      continue;
    }
    for (std::string& sentence : text::split_sentences(block.text)) {
      CheckedSentence& one = sentences.emplace_back();
      if (const auto why = text::why_no_statement(sentence)) {
        one.not_judged = *why;
      } else if (is_heading(sentence)) {
        one.not_judged = "looks like a heading";
      }
      one.text = std::move(sentence);
    }
  }
  return sentences;
}

}  // namespace

std::vector<CheckedSentence> sentences_to_check(std::string_view text) {
  return sentences_of(text::plain_blocks(text));
}

std::vector<CheckedSentence> sentences_of_file(const std::filesystem::path& file,
                                               std::uint64_t largest) {
  std::vector<CheckedSentence> sentences = sentences_of(data::read_blocks(file, largest));
  for (CheckedSentence& one : sentences)
    one.source = file == "-" ? "standard input" : file.string();
  return sentences;
}

void check(std::span<CheckedSentence> sentences, const VerifyClaims& verify,
           const ProgressCallback& progress) {
  std::vector<CheckedSentence*> judged;
  for (CheckedSentence& sentence : sentences) {
    if (sentence.not_judged.empty()) judged.push_back(&sentence);
  }
  for (std::size_t begin = 0; begin < judged.size(); begin += kTogether) {
    const auto some = std::span(judged).subspan(begin, std::min(kTogether, judged.size() - begin));
    std::vector<std::string> claims;
    for (const CheckedSentence* sentence : some) claims.push_back(sentence->text);
    std::vector<Verdict> verdicts = verify(claims);
    for (std::size_t i = 0; i < some.size(); ++i) some[i]->verdict = std::move(verdicts.at(i));
    if (progress) progress({begin + some.size(), judged.size()});
  }
}

}  // namespace memmatch
