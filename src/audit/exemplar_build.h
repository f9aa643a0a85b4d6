#pragma once

#include <optional>
#include <span>
#include <string>

#include "memmatch/exemplars.h"
#include "memmatch/verifier.h"

namespace memmatch::audit {

// A claim whose right label is known, to be decided by the model and kept as an exemplar.
struct ExemplarClaim {
  std::string claim;
  Label gold = Label::unverifiable;
  std::optional<GivenEvidence> evidence;  // none: what the search retrieves
};

// The model's decisions on these claims, as exemplars; a claim for which there is no evidence gives
// none. All of them bring their evidence, or none.
std::vector<NewExemplar> decide(Verifier& verifier, std::span<const ExemplarClaim> claims,
                                const SearchOptions& options);

struct BuildReport {
  std::uint64_t taken_up = 0;  // claims that an earlier run had been through
  std::uint64_t claims = 0;
  std::uint64_t exemplars = 0;  // that this run added
};

// Some dozen claims at a time, each with its exemplars in one transaction: stopped at any time,
// the same call goes on where it was. `setting` is all that the exemplars depend on. Throws
// Error(conflict) where the tag has another setting.
BuildReport build_exemplars(Exemplars& exemplars, std::string_view tag, std::string_view setting,
                            Verifier& verifier, std::span<const ExemplarClaim> claims,
                            const SearchOptions& options, const ProgressCallback& progress);

}  // namespace memmatch::audit
