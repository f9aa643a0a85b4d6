#include "audit/exemplar_rules.h"

#include <algorithm>
#include <array>

namespace memmatch::audit {

bool mostly_true_positive(Label label, std::span<const NearExemplar> neighbours) {
  const auto right = std::count_if(neighbours.begin(), neighbours.end(), [&](const auto& near) {
    return kind_for(label, near.exemplar.gold, near.exemplar.predicted) ==
           ExemplarKind::true_positive;
  });
  return 2 * static_cast<std::size_t>(right) > neighbours.size();
}

Label voted_label(std::span<const NearExemplar> neighbours) {
  std::array<int, 3> votes{};
  for (const NearExemplar& near : neighbours) ++votes[static_cast<std::size_t>(near.exemplar.gold)];
  const int most = *std::max_element(votes.begin(), votes.end());
  for (const NearExemplar& near : neighbours) {
    if (votes[static_cast<std::size_t>(near.exemplar.gold)] == most) return near.exemplar.gold;
  }
  return Label::unverifiable;
}

bool evidence_changed(const Verdict& verdict) {
  return !verdict.evidence.empty() && verdict.evidence.front().edited;
}

}  // namespace memmatch::audit
