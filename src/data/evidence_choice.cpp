#include "data/evidence_choice.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace memmatch::data {
namespace {

using Covered = std::function<bool(std::string_view)>;

// Smaller is better. The share of titles that are not covered is kept as a fraction of whole
// numbers, since equal shares must be equal.
struct Preference {
  std::int64_t uncovered_titles = 0;
  std::int64_t titles = 0;
  bool first_uncovered = false;
  std::size_t sentences = 0;
  std::int64_t first_number = 0;
  double sum_of_numbers = 0;  // cannot overflow, whatever the file says
};

bool operator<(const Preference& a, const Preference& b) {
  const std::int64_t left = a.uncovered_titles * b.titles;
  const std::int64_t right = b.uncovered_titles * a.titles;
  return std::tie(left, a.first_uncovered, a.sentences, a.titles, a.first_number,
                  a.sum_of_numbers) < std::tie(right, b.first_uncovered, b.sentences, b.titles,
                                               b.first_number, b.sum_of_numbers);
}

Preference preference(const EvidenceSet& set, const Covered& covered) {
  Preference result;
  std::set<std::string_view> titles;
  for (const SentenceName& sentence : set) {
    titles.insert(sentence.title);
    result.sum_of_numbers += static_cast<double>(sentence.number);
  }
  result.titles = static_cast<std::int64_t>(titles.size());
  result.uncovered_titles =
      std::count_if(titles.begin(), titles.end(), [&](auto title) { return !covered(title); });
  result.first_uncovered = !covered(set.front().title);
  result.sentences = set.size();
  result.first_number = set.front().number;
  return result;
}

}  // namespace

std::optional<ChosenEvidence> choose_evidence(const std::vector<EvidenceSet>& sets,
                                              const Covered& covered) {
  const EvidenceSet* best = nullptr;
  Preference best_preference;
  for (const EvidenceSet& set : sets) {
    if (set.empty()) continue;
    const Preference candidate = preference(set, covered);
    if (best && !(candidate < best_preference)) continue;
    best = &set;
    best_preference = candidate;
  }
  if (!best) return std::nullopt;
  const auto is_covered = [&](const SentenceName& sentence) { return covered(sentence.title); };
  const auto first = std::find_if(best->begin(), best->end(), is_covered);
  ChosenEvidence chosen;
  chosen.first = first == best->end() ? best->front() : *first;
  const auto second = std::find_if(best->begin(), best->end(), [&](const SentenceName& sentence) {
    return sentence != chosen.first;
  });
  if (second != best->end()) chosen.second = *second;
  return chosen;
}

}  // namespace memmatch::data
