#include "audit/support_probability.h"

namespace memmatch::audit {

std::optional<double> support_probability(const Verdict& verdict) {
  if (!verdict.admission || !verdict.admission->confidence) return std::nullopt;
  const double confidence = *verdict.admission->confidence;
  if (verdict.label == Label::supports) return confidence;
  const bool three =
      verdict.label_distances[static_cast<std::size_t>(Label::unverifiable)].has_value();
  return (1 - confidence) / (three ? 2 : 1);
}

}  // namespace memmatch::audit
