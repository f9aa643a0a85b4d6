#include "data/evidence_choice.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace memmatch::data {
namespace {

using Covered = std::function<bool(const std::string&)>;

// Smaller is better.
using Preference = std::tuple<double, bool, std::size_t, std::size_t, std::int64_t, std::int64_t>;

Preference preference(const EvidenceSet& set, const Covered& covered) {
  std::set<std::string> titles;
  std::int64_t sum = 0;
  for (const SentenceName& name : set) {
    titles.insert(name.title);
    sum += name.number;
  }
  const auto reached = std::count_if(titles.begin(), titles.end(), covered);
  const double share = static_cast<double>(reached) / static_cast<double>(titles.size());
  return {1 - share,     !covered(set.front().title), set.size(),
          titles.size(), set.front().number,          sum};
}

}  // namespace

std::optional<ChosenEvidence> choose_evidence(std::span<const EvidenceSet> sets,
                                              const Covered& covered) {
  const EvidenceSet* best = nullptr;
  Preference best_preference;
  for (const EvidenceSet& set : sets) {
    if (set.empty()) continue;
    const Preference candidate = preference(set, covered);
    if (best && candidate >= best_preference) continue;
    best = &set;
    best_preference = candidate;
  }
  if (!best) return std::nullopt;
  const auto reached = std::find_if(best->begin(), best->end(),
                                    [&](const SentenceName& name) { return covered(name.title); });
  ChosenEvidence chosen{reached == best->end() ? best->front() : *reached, std::nullopt};
  const auto other = std::find_if(best->begin(), best->end(),
                                  [&](const SentenceName& name) { return name != chosen.first; });
  if (other != best->end()) chosen.second = *other;
  return chosen;
}

}  // namespace memmatch::data
