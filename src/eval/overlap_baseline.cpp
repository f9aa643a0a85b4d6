#include "eval/overlap_baseline.h"

#include <algorithm>
#include <cmath>

#include "text/shared_words.h"

namespace memmatch::eval {
namespace {

using text::for_each_word;

// The words of one claim, each with its weight and the last sentence that was seen to have it.
struct ClaimWord {
  double weight = 0;
  SentenceId seen_in = 0;
};

struct Scored {
  double score = 0;
  RankedSentence sentence;
};

}  // namespace

void OverlapBaseline::note_words(std::string_view claim) {
  for_each_word(claim, [&](std::string_view word) {
    if (!sentences_with_.contains(word)) sentences_with_.emplace(word, 0);
  });
}

void OverlapBaseline::count(Datastore& store, const ProgressCallback& progress) {
  const std::uint64_t total = progress ? store.stats().sentences : 0;
  std::vector<std::uint64_t*> counts;  // of the words of one sentence
  store.for_each_document([&](const Document&, const std::vector<Sentence>& sentences) {
    for (const Sentence& sentence : sentences) {
      counts.clear();
      for_each_word(sentence.text, [&](std::string_view word) {
        const auto found = sentences_with_.find(word);
        if (found != sentences_with_.end()) counts.push_back(&found->second);
      });
      std::sort(counts.begin(), counts.end());
      counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
      for (std::uint64_t* count : counts) ++*count;
    }
    sentences_ += sentences.size();
    if (progress) progress({sentences_, total});
  });
}

std::vector<RankedSentence> OverlapBaseline::rank(Datastore& store, std::string_view claim,
                                                  const Cover& cover) const {
  std::unordered_map<std::string, ClaimWord, Hash, std::equal_to<>> words;
  for_each_word(claim, [&](std::string_view word) {
    const auto found = sentences_with_.find(word);
    const std::uint64_t with = found == sentences_with_.end() ? 0 : found->second;
    const double rarity = static_cast<double>(sentences_ + 1) / static_cast<double>(with + 1);
    words.try_emplace(std::string(word), ClaimWord{std::log(rarity), 0});
  });

  std::vector<Scored> scored;
  for (const Document& document : cover.documents) {
    for (const Sentence& sentence : store.sentences(document.id)) {
      if (sentence.text.empty()) continue;
      double score = 0;
      const auto add = [&](std::string_view word) {
        const auto found = words.find(word);
        if (found == words.end() || found->second.seen_in == sentence.id) return;
        found->second.seen_in = sentence.id;
        score += found->second.weight;
      };
      for_each_word(sentence.text, add);
      for_each_word(document.title, add);
      scored.push_back({score, {sentence.id, document.id}});
    }
  }
  std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.sentence.id < b.sentence.id;
  });
  std::vector<RankedSentence> ranking;
  for (const Scored& entry : scored) ranking.push_back(entry.sentence);
  return ranking;
}

}  // namespace memmatch::eval
